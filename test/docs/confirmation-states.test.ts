import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { groupTransitions } from '../../core/confirmations/groups/group.ts';
import { transitions } from '../../core/confirmations/confirmation.ts';

/** The rows of the table under a heading of docs/architecture.md, as cells. */
function rowsUnder(heading: string): string[][] {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [chapter = ''] = section.split('\n## ');
  return chapter
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}

/** The words in `code` of a cell. */
const codeIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

test("the documented state machine of a confirmation is the service's own", () => {
  const [create, ...rows] = rowsUnder('State machine of a confirmation');
  const documented = rows.map(([name, from, allowed = '', to, , event]) => [
    name,
    {
      from: codeIn(from)[0],
      allowed: allowed.startsWith('before') ? 'before-expiry' : 'after-expiry',
      to: codeIn(to)[0],
      reasons: codeIn(to).slice(1),
      event: codeIn(event)[0],
    },
  ]);

  expect(documented).toEqual(Object.entries(transitions));
  expect(codeIn(create?.[3])).toEqual(['pending']);
});

test('one write changes the status of a confirmation', () => {
  const writes = ['core', 'cli', 'lambdas'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/SET (#|)status\b/g)].map(() => file)),
  );
  expect(writes).toEqual(['core/confirmations/confirmation-store.ts']);
});

test("the documented state machine of a group is the service's own", () => {
  const [create, ...rows] = rowsUnder('State machine of a group');
  expect(create?.slice(0, 4)).toEqual(['(create)', '–', '–', '`pending`']);
  expect(rows.map(([name, from, allowed, to, , event]) => [name, from, allowed, to, event])).toEqual(
    Object.entries(groupTransitions).map(([name, { allowed, to, event }]) => [
      name,
      '`pending`',
      allowed === 'before-expiry' ? 'before `expiresAt`' : 'from `expiresAt` on',
      `\`${to}\``,
      `\`${event}\``,
    ]),
  );
});
