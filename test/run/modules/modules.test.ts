/** What suites that run one after the other in a process share, and what not. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'omi-suites-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const fileUrl = (path: string): string => JSON.stringify(pathToFileURL(resolve(path)).href);
const packageFile = (path: string): string => fileUrl(`node_modules/${path}`);

const suite = `
import { expect, jest, test } from '@jest/globals';
import * as valibot from ${packageFile('valibot/dist/index.mjs')};
import { InvokeStore, InvokeStoreBase } from ${packageFile('@aws/lambda-invoke-store/dist-es/invoke-store.js')};
import * as keepsNothing from ${fileUrl('core/events/event-keys.ts')};
import * as keepsALog from ${fileUrl('core/kernel/observability.ts')};
import * as importsALog from ${fileUrl('core/http/error-responses.ts')};
import { state } from './state.ts';

type Loaded = { packages: unknown[]; pure: unknown[]; keeping: unknown[] };
const loaded = ((process as { loaded?: Loaded }).loaded ??= { packages: [], pure: [], keeping: [] });
loaded.packages.push(valibot);
loaded.pure.push(keepsNothing);
loaded.keeping.push(keepsALog, importsALog);

test('finds nothing of an earlier suite', () => {
  expect({ ...state, value: process.env['OMI_LEFT'], clock: Date.now() > 0 }).toEqual({ clock: true });
  state.used = true;
  process.env['OMI_LEFT'] = 'left';
  jest.useFakeTimers({ now: 0 });
  expect(Date.now()).toBe(0);
  process.exitCode = 3;
});

test('has the packages of an earlier suite, and what keeps nothing', () => {
  expect(new Set(loaded.packages).size).toBe(1);
  expect(new Set(loaded.pure).size).toBe(1);
});

test('has what keeps something for itself, and what imports that', () => {
  expect(new Set(loaded.keeping).size).toBe(loaded.keeping.length);
});

test('finds no trace of a call of an earlier suite', async () => {
  const store = await InvokeStore.getInstanceAsync();
  expect(store.getXRayTraceId()).toBe(undefined);
  const context = { [InvokeStoreBase.PROTECTED_KEYS.X_RAY_TRACE_ID]: 'trace' };
  expect(await store.run(context, async () => store.getXRayTraceId())).toBe('trace');
});

test('fails where its stack says', () => {
  expect(new Error('here').stack).toContain('(' + import.meta.filename + ':');
});
`;

async function run(...suites: string[]): Promise<{ numPassedTests: number; success: boolean }> {
  const config = {
    rootDir: folder,
    transform: {},
    runtime: resolve('test/run/modules/runtime.ts'),
    testEnvironment: resolve('test/run/modules/environment.ts'),
  };
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'state.ts'), 'export const state: { used?: boolean } = {};');
  for (const name of suites) writeFileSync(join(folder, `${name}.test.ts`), suite);
  const jest = resolve('node_modules/jest/bin/jest.js');
  const args = [
    jest,
    '--runInBand',
    '--json',
    '--testRegex',
    'test.ts$',
    '--config',
    join(folder, 'jest.config.json'),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return JSON.parse(stdout) as { numPassedTests: number; success: boolean };
}

test('a suite has modules, globals and environment of its own, and packages of the process', async () => {
  expect(await run('one', 'two')).toMatchObject({ success: true, numPassedTests: 10 });
});
