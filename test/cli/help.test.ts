/** What a person sees before they know the commands. */
import { describe, expect, test } from '@jest/globals';
import { commandPaths, examplesOf, parse } from './command-lines.ts';
import { omi } from './omi.ts';

const paths = await commandPaths();

const named = paths.map((path): [string, string[]] => [path.join(' '), path]);

describe('help', () => {
  test('starts with every group of commands and the exit codes', async () => {
    const { code, out } = await omi(['--help']);
    expect(code).toBe(0);
    const groups = paths.filter(({ length }) => length === 1).map(([name = '']) => name);
    expect(groups.length).toBeGreaterThan(9);
    for (const name of groups) expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(out).toContain('0 done, 1 failed, 2 used wrongly');
  });

  test.each(named)('documents omi %s', async (name, path) => {
    const { code, out, err } = await omi([...path, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: omi ${name} `);
    expect(out).toContain('--local');
    expect(examplesOf(out).length).toBeGreaterThan(0);
  });

  test.each([['help'], ['help', 'target'], ['target', 'help', 'set']])(
    'is available as omi %s %s %s',
    async (...args) => {
      const { code, out } = await omi(args);
      expect({ code, isHelp: out.startsWith('Usage: omi') }).toEqual({ code: 0, isHelp: true });
    },
  );

  test('says which options are required', async () => {
    const { out } = await omi(['user', 'erase', '--help']);
    expect(out).toMatch(/--user <id> .*\(required, here or as an argument\)/);
  });

  test.each([[], ...paths.filter((path) => isGroup(path))].map((path) => [path]))(
    'is printed as a misuse for the incomplete command %j',
    async (path) => {
      const { code, out, err } = await omi(path);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain('Usage: omi');
    },
  );
});

function isGroup(path: readonly string[]): boolean {
  return paths.some(
    (other) => other.length === path.length + 1 && path.every((word, at) => other[at] === word),
  );
}

test.each(named)('the examples of omi %s are valid commands', async (_, path) => {
  const { out } = await omi([...path, '--help']);
  for (const line of examplesOf(out)) await expect(parse(line)).resolves.toBeDefined();
});
