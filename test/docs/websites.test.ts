/** The code of docs/websites.md is right for the packages as they are. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Omi } from '#website';
import { isKnown } from '../../packages/website/src/hints.ts';

const run = promisify(execFile);
const page = await readFile('docs/websites.md', 'utf8');
let folder: string;

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'omi-websites-'))));
afterAll(async () => await rm(folder, { recursive: true }));

test('the programs of docs/websites.md have no type errors', async () => {
  const programs = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(programs.length).toBeGreaterThan(0);
  const files = await Promise.all(
    programs.map(async (code, index) => {
      const file = join(folder, `program-${index}.mts`);
      await writeFile(file, code);
      return file;
    }),
  );
  const paths = { '@omi/website': [resolve('packages/website/src/index.ts')] };
  const compilerOptions = {
    paths,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    noEmit: true,
  };
  const config = join(folder, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, files, include: [] }),
  );
  const compiler = resolve('node_modules/@typescript/native/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', config]).catch((error: unknown) => {
    throw new Error(String((error as { stdout?: string }).stdout));
  });
  expect(stdout).toBe('');
}, 60_000);

test('docs/websites.md names only codes that the package has', () => {
  const [, table = ''] = page.split('| `code` |');
  const [rows = ''] = table.split('\n\n');
  const codes = rows
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !isKnown(code))).toEqual([]);
});

test.each(['docs/websites.md', 'docs/move-from-polling.md'])(
  '%s names only functions that exist',
  async (path) => {
    const text = await readFile(path, 'utf8');
    const named = [...text.matchAll(/\b(omi|routes)\.(\w+)/g)].map(([, owner, name = '']) => ({
      owner,
      name,
    }));
    expect(named.length).toBeGreaterThan(5);
    const methods = new Set(Object.getOwnPropertyNames(Omi.prototype));
    const unknown = named.filter(({ owner, name }) =>
      owner === 'omi' ? !methods.has(name) : name !== 'consume',
    );
    expect(unknown).toEqual([]);
  },
);
