/** `@omi/mcp` as others get it: packed, in a project of their own, started by its command. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enrolDevice } from '../contract/scenario.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { StdioHost } from './mcp/support/mcp-host.ts';
import { environmentOf, newState, shownOn } from './mcp/support/phones.ts';
import { PackedProject } from './support/packed-project.ts';
import { isWellFormed } from './support/self-contained.ts';

const stack = useSharedStack();
const folder = 'node_modules/@omi/mcp';
const run = promisify(execFile);

let project: PackedProject;
let program: string;
beforeAll(async () => {
  project = await PackedProject.createLinked('@omi/mcp');
  const { bin } = JSON.parse(await project.read(`${folder}/package.json`)) as { bin: Record<string, string> };
  program = join(project.folder, folder, bin['omi-mcp'] ?? '');
});
afterAll(async () => await project.remove());

describe('the package', () => {
  // A program, whose libraries are modules alone.
  isWellFormed(() => project, ['--profile', 'esm-only']);
});

test('the package contains its code and nothing else', () => {
  const names = project.packed.files.map(({ path }) => path);
  const folders = new Set(names.map((path) => path.replace(/\/.*/, '')));
  expect([...folders].toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
});

test('each dependency has the version that this repository tests', async () => {
  type Manifest = { dependencies: Record<string, string>; version: string };
  const { dependencies } = JSON.parse(await project.read(`${folder}/package.json`)) as Manifest;
  for (const [name, wanted] of Object.entries(dependencies)) {
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as Manifest;
    expect([name, version]).toEqual([name, wanted]);
  }
});

describe('the command', () => {
  test('asks a user', async () => {
    const phone = await enrolDevice(stack.website);
    const host = await StdioHost.start({
      program: [process.execPath, program],
      env: { ...environmentOf(stack), OMI_USER_ID: phone.identity.userId },
      args: ['--state', await newState()],
    });
    try {
      const asking = host.call('request_approval', {
        action: 'Send the letter',
        reason: 'You asked for it.',
      });
      await phone.confirm(await shownOn(phone));
      expect((await asking).structured).toMatchObject({ status: 'approved' });
    } finally {
      await host.stop();
    }
  });

  test('says what is missing', async () => {
    const failure = await run(process.execPath, [program], { env: {} }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stdout: '', stderr: 'Set OMI_BASE_URL.\n' });
  });

  test('has help, and refuses a port that is none', async () => {
    expect((await run(process.execPath, [program, '--help'])).stdout).toContain('--actions <file>');
    await expect(run(process.execPath, [program, '--port', 'x'])).rejects.toMatchObject({ code: 1 });
  });
});

const examples = [...readFileSync('packages/mcp/README.md', 'utf8').matchAll(/^```ts\n(.*?)```/gms)].map(
  ([, code = '']) => code,
);
const compilers = { 'TypeScript 6': 'typescript/bin/tsc6', 'TypeScript 7': '@typescript/native/bin/tsc' };

test.each(Object.entries(compilers))('the example in the README is valid with %s', async (_, compiler) => {
  expect(examples).toHaveLength(1);
  const files = await Promise.all(
    examples.map(async (code, index) => await project.write(`example-${index}.ts`, code)),
  );
  const roots = { types: ['node'], typeRoots: [resolve('node_modules/@types')] };
  const options = {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'node16',
    moduleResolution: 'node16',
    ...roots,
  };
  await project.compile(compiler, { mcp: options }, files);
});
