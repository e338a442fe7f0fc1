/** docs/cli.md, held against the commands. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { omi } from './omi.ts';
import { leafPaths, parse } from './command-lines.ts';

const page = readFileSync('docs/cli.md', 'utf8');
const lines = [...page.matchAll(/^npx omi (.*)$/gm)].map(([, line = '']) => line);

const leaves = await leafPaths();

describe('docs/cli.md', () => {
  test.each(lines)('contains a runnable command: npx omi %s', async (line) => {
    await expect(parse(line)).resolves.toBeDefined();
  });

  test.each(leaves.map((path) => path.join(' ')))('shows an example of %s', (name) => {
    expect(lines.filter((line) => line.startsWith(name))).not.toEqual([]);
  });

  test('names every option for all commands', async () => {
    const { out } = await omi(['--help']);
    const options = [...out.matchAll(/^ {2}(?:-V, )?(--[a-z]+)/gm)].map(([, option = '']) => option);
    for (const option of options.filter((name) => name !== '--version'))
      expect(page).toContain(`\`${option}`);
  });
});
