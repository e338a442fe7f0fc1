/** Ids are arguments or options: the same for every command, taken from the examples of its help. */
import { describe, expect, test } from '@jest/globals';
import { type Command } from 'commander';
import { examplesOf, leafPaths, loadedProgram, parse, wordsOf } from './command-lines.ts';
import { omi } from './omi.ts';

/** Another value of each id. */
const others: Record<string, string> = {
  tenant: '00000000-0000-4000-8000-000000000000',
  user: 'bob',
  device: '00000000-0000-4000-8000-000000000001',
  client: 'another-client',
  nonce: 'another-nonce-0001',
  id: 'another-trace=',
  folder: 'another-folder',
};

const otherThan = (name: string, value: string): string =>
  name === 'category' ? ({ public: 'log', log: 'public' }[value] ?? '') : (others[name] ?? '');

const program = await loadedProgram();

const commandAt = (path: readonly string[]): Command =>
  path.reduce<Command>(
    (above, name) => above.commands.find((command) => command.name() === name) ?? above,
    program,
  );

type Line = { name: string; path: string[]; given: [name: string, value: string][]; rest: string[] };

/** An example of the command with the values of its ids. */
async function lineOf(path: string[]): Promise<Line> {
  const names = commandAt(path).registeredArguments.map((argument) => argument.name());
  const { out } = await omi([...path, '--help']);
  const lines = examplesOf(out).map((example) => {
    const words = wordsOf(example).slice(path.length);
    const end = words.findIndex((word) => word.startsWith('-'));
    const values = end < 0 ? words : words.slice(0, end);
    const given = values.map((value, at): [string, string] => [names[at] ?? '', value]);
    return { name: path.join(' '), path, given, rest: words.slice(values.length) };
  });
  const [most] = lines.toSorted((one, other) => other.given.length - one.given.length);
  if (!most) throw new Error('no example');
  return most;
}

const withIds = (await leafPaths()).filter((path) => commandAt(path).registeredArguments.length > 0);

const quoted = (words: readonly string[]): string =>
  words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');

describe.each(withIds.map((path) => [path.join(' '), path] as const))('omi %s', (_, path) => {
  test('takes each id as an argument, as an option, or as both if they agree', async () => {
    const { given, rest } = await lineOf(path);
    const asOptions = given.flatMap(([name, value]) => [`--${name}`, value]);
    const values = given.map(([, value]) => value);
    const expected = await parse(quoted([...path, ...values, ...rest]));
    expect(expected).toMatchObject(Object.fromEntries(given));
    expect(await parse(quoted([...path, ...rest, ...asOptions]))).toEqual(expected);
    expect(await parse(quoted([...path, ...values, ...rest, ...asOptions]))).toEqual(expected);
  });

  test('rejects an argument and an option that differ, and names both', async () => {
    const { given, rest } = await lineOf(path);
    for (const [name, value] of given) {
      const other = otherThan(name, value);
      const values = given.map(([, id]) => id);
      const { code, out, err } = await omi([...path, ...values, ...rest, `--${name}`, other]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toBe(
        `error: The argument [${name}] is ${value}, but --${name} is ${other}. Pass only one of them.\n`,
      );
    }
  });

  test('names a missing id, with an example', async () => {
    const { rest, given } = await lineOf(path);
    const required = given.filter(([name]) => {
      const option = commandAt(path).options.find(({ long }) => long === `--${name}`);
      return option?.description.includes('required') ?? false;
    });
    if (required.length === 0) return;
    const { code, out, err } = await omi([...path, ...rest]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`Missing: ${required.map(([name]) => name).join(', ')}.`);
    expect(err).toContain(`for example: omi ${path.join(' ')} `);
  });

  test('shows the arguments in its help', async () => {
    const { given } = await lineOf(path);
    const { out } = await omi([...path, '--help']);
    expect(out).toContain(`[options] ${given.map(([name]) => `[${name}]`).join(' ')}`);
  });
});

test('every command about something existing has ids, and no other command', () => {
  expect(withIds.length).toBeGreaterThan(20);
});
