import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { guards, rowOf, transitions, type Transition } from '../../core/export/targets/state-machine.ts';

const text = readFileSync('docs/architecture.md', 'utf8');

/** The rows of the table in docs/architecture.md that has this head. */
function tableWith(head: string): string[][] {
  const after = text.split(`${head}\n`)[1] ?? '';
  const [table = ''] = after.split('\n\n');
  return table
    .split('\n')
    .slice(1)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

test('the documented state machine of a target is the one in the code', () => {
  const documented = tableWith('| transition | from | guards | to | set off by |').map(
    ([transition, from, allowed, to]) => ({
      transition,
      from: from === 'any' ? from : namesIn(from),
      guards: namesIn(allowed),
      to: namesIn(to),
    }),
  );
  const names = Object.keys(transitions) as Transition[];
  const actual = names.map((transition) => {
    const { from, to, guards: its } = rowOf(transition);
    return { transition, from, guards: its, to: [to] };
  });
  expect(documented).toEqual(actual);
});

test('every guard of a target is explained', () => {
  const explained = tableWith('| guard | holds if |').map(([guard]) => namesIn(guard).join());
  expect(explained).toEqual(Object.keys(guards));
});
