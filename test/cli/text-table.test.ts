import { expect, test } from '@jest/globals';
import { describeError } from '../../cli/describe-error.ts';
import { CommandError } from '../../cli/command-error.ts';
import { Session } from '../../cli/session.ts';
import { fields, table } from '../../cli/text-table.ts';

const forged = 'Eve\r\nproved: all\u001b[2J\u202e';
const shown = 'Eve[U+000D][U+000A]proved: all[U+001B][2J[U+202E]';

test.each([
  [
    'fields',
    fields({ user: forged, [forged]: 1 }),
    [`user${' '.repeat(shown.length - 4)}  ${shown}`, `${shown}  1`],
  ],
  ['a table', table(['USER', 'N'], [[forged, 1]]), [`USER${' '.repeat(shown.length - 4)}  N`, `${shown}  1`]],
  ['an error', describeError(new CommandError(`No user ${forged}.`)), [`error: No user ${shown}.`]],
])('%s cannot have a forged line or a control of the terminal', (_, text, lines) => {
  expect(text.split('\n')).toEqual(lines);
});

test('progress cannot forge a line or a colour, whoever named what it names', () => {
  const written: string[] = [];
  const terminal = { out: () => undefined, err: (text: string) => void written.push(text), environment: {} };
  new Session(terminal, { stage: 'dev' }).note('Checking a\n\u001b[31mb …');
  expect(written).toEqual([expect.stringMatching(/^[^\n\u001b]+\n$/)]);
});
