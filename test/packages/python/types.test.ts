/** The types of `omi` for Python, and its wheel. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pythonWith } from '../../support/python.ts';

const run = promisify(execFile);
const typed = pythonWith('mypy', 'requests', 'cryptography');
const builds = pythonWith('setuptools', 'wheel', 'pip', 'requests', 'cryptography');
const itsTypes = typed === undefined ? test.skip : test;
const itsWheel = builds === undefined ? test.skip : test;

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'omi-python-'))));
afterAll(async () => await rm(folder, { recursive: true }));

/** @returns what mypy says */
async function mypy(...args: string[]): Promise<string> {
  const env = { ...process.env, MYPYPATH: resolve('packages/python'), MYPY_CACHE_DIR: join(folder, 'cache') };
  const checked = await run(typed ?? '', ['-m', 'mypy', ...args], { env }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return checked.stdout.trim();
}

itsTypes('the package has strict types', async () => {
  // What JSON holds is of any type.
  const said = await mypy('--strict', '--no-warn-return-any', 'packages/python/omi');
  expect(said).toMatch(/^Success: no issues found in \d+ source files$/);
});

itsTypes('a program that calls the package wrongly is told so', async () => {
  const program = join(folder, 'program.py');
  await writeFile(
    program,
    'from omi import Omi\n\nOmi("a", "b", "c", "d").confirm(user_id=1, message="Pay?")\n',
  );
  expect(await mypy(program)).toContain('has incompatible type "int"; expected "str"');
});

itsWheel('the wheel has the package with its types, and works where it is installed', async () => {
  const source = join(folder, 'source');
  await cp('packages/python', source, { recursive: true });
  const offline = ['--no-deps', '--no-index', '--disable-pip-version-check'];
  const options = ['-m', 'pip', 'wheel', source, '--no-build-isolation', '--wheel-dir', folder, ...offline];
  await run(builds ?? '', options);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? '';
  expect(wheel).toMatch(/^omi_client-\d+\.\d+\.\d+-py3-none-any\.whl$/);
  const installed = join(folder, 'installed');
  await run(builds ?? '', ['-m', 'pip', 'install', join(folder, wheel), '--target', installed, ...offline]);
  expect(await readdir(join(installed, 'omi'))).toEqual(expect.arrayContaining(['__init__.py', 'py.typed']));
  const code = 'import omi; print(omi.__file__, len(omi.new_nonce()) >= 16)';
  const { stdout } = await run(builds ?? '', ['-c', code], {
    env: { ...process.env, PYTHONPATH: installed },
  });
  expect(stdout.trim()).toBe(`${join(installed, 'omi/__init__.py')} True`);
});
