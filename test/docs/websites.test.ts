/** The code of docs/websites.md and docs/test-your-website.md is right for the packages as they are. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Omi } from '#website';
import { expectProblem, retryAfterOf } from '../contract/expectations.ts';
import { enrolDevice, newUser, pushAndDeny, tryPush } from '../contract/scenario.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { isKnown } from '../../packages/website/src/hints.ts';

const run = promisify(execFile);
const stack = useSharedStack();
const page = await readFile('docs/websites.md', 'utf8');
const testPage = await readFile('docs/test-your-website.md', 'utf8');
const sources = {
  '@omi/device': resolve('packages/device/src/index.ts'),
  '@omi/testing': resolve('packages/testing/src/index.ts'),
  '@omi/website': resolve('packages/website/src/index.ts'),
};

const programsIn = (text: string): string[] =>
  [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
let folder: string;

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'omi-websites-'))));
afterAll(async () => await rm(folder, { recursive: true }));

test('the programs of the pages for websites have no type errors', async () => {
  const programs = [...programsIn(page), ...programsIn(testPage)];
  expect(programs.length).toBeGreaterThan(0);
  const files = await Promise.all(
    programs.map(async (code, index) => {
      const file = join(folder, `program-${index}.mts`);
      await writeFile(file, code);
      return file;
    }),
  );
  const paths = Object.fromEntries(Object.entries(sources).map(([name, file]) => [name, [file]]));
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
});

test('docs/websites.md names only codes that the package has', () => {
  const [, table = ''] = page.split('| `code` |');
  const [rows = ''] = table.split('\n\n');
  const codes = rows
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !isKnown(code))).toEqual([]);
});

test('the tenant of website.env pauses after not_me for as long as docs/websites.md says', async () => {
  const [, said = ''] =
    /after `not_me` the service lets nobody ask the user for (\d+) seconds/.exec(page) ?? [];
  const phone = await enrolDevice(stack.bank);
  await pushAndDeny(stack.bank, phone);
  await pushAndDeny(stack.bank, phone, 'not_me');
  const answer = await tryPush(stack.bank, phone);
  expectProblem(answer, 429, 'too-many-notifications');
  expect(retryAfterOf(answer)).toBeLessThanOrEqual(Number(said));
  expect(retryAfterOf(answer)).toBeGreaterThan(Number(said) - 30);
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

describe('docs/test-your-website.md', () => {
  const runnable = (code: string): string =>
    Object.entries(sources).reduce(
      (text, [name, file]) => text.replaceAll(`'${name}'`, `'${pathToFileURL(file).href}'`),
      code,
    );

  test('has a phone that confirms on the local stack', async () => {
    await writeFile(join(folder, 'phone.mts'), runnable(programsIn(testPage)[1] ?? ''));
    const { baseUrl, tokenUrl, tenants } = stack.file;
    const { clientId, clientSecret } = tenants[0];
    const options = JSON.stringify({ baseUrl, tokenUrl, clientId, clientSecret });
    const script = runnable(`
      import { Omi } from '@omi/website';
      import { confirm, phoneOf } from './phone.mts';
      const omi = new Omi(${options});
      const userId = ${JSON.stringify(newUser())};
      const phone = await phoneOf(omi, userId);
      const asked = { userId, message: 'Pay 5 €?', onPending: async () => await confirm(phone) };
      console.log((await omi.confirm(asked)).status);`);
    const file = join(folder, 'ci.mts');
    await writeFile(file, script);
    expect((await run(process.execPath, [file])).stdout).toBe('confirmed\n');
  });
});
