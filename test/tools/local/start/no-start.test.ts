import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { refusedStart, RunningStack } from './running.ts';

let state: string;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'omi-no-start-'));
});
afterEach(async () => {
  await rm(state, { recursive: true });
});

test('npm start --help prints the usage', async () => {
  const { code, output } = await refusedStart(state, {}, ['--help']);
  expect(code).toBe(0);
  const variables = [
    'PORT',
    'APP_PORT',
    'SITE_PORT',
    'TOKEN_PORT',
    'CLIENT_SECRET',
    'DATA',
    'STATE',
    'BASE_URL',
    'APP_URL',
    'BUNDLES',
    'DYNAMODB',
    'WARM',
  ];
  for (const word of ['Usage: npm start', ...variables.map((name) => `OMI_${name}`)])
    expect(output).toContain(word);
});

test.each([
  [{ OMI_PORT: 'abc' }, [], 'OMI_PORT must be a port number'],
  [{}, ['--nonsense'], 'Unknown argument "--nonsense"'],
])('npm start with %j %j is rejected', async (environment, args, message) => {
  const { code, output } = await refusedStart(state, environment, args);
  expect(code).toBe(1);
  expect(output).toContain(message);
  expect(output).not.toContain('    at ');
});

test('npm start rejects a state folder that is a file', async () => {
  const file = join(state, 'file');
  await writeFile(file, '');
  const { code, output } = await refusedStart(file, {});
  expect(code).toBe(1);
  expect(output).toContain(`OMI_STATE must be a writable folder; ${file} is not`);
  expect(output).not.toContain('    at ');
});

describe('the cache of compiled modules', () => {
  const script = `import m from 'node:module'; process.on('exit', () => console.log(m.getCompileCacheDir()));`;
  const command = [
    process.execPath,
    '--import',
    `data:text/javascript,${script}`,
    'tools/local/start.ts',
    '--help',
  ];

  test('is beside the packages', async () => {
    const stack = new RunningStack(command, state, { NODE_COMPILE_CACHE: undefined, OMI_STATE: undefined });
    expect(await stack.exited).toEqual([0, null]);
    expect(stack.output).toContain(`\n${join(process.cwd(), 'node_modules/.cache/omi-modules')}/`);
  });

  test('is not used for a state elsewhere, where nobody would remove it', async () => {
    const stack = new RunningStack(command, state, { NODE_COMPILE_CACHE: undefined });
    expect(await stack.exited).toEqual([0, null]);
    expect(stack.output).toMatch(/\nundefined\n$/);
  });

  test('is in the folder that NODE_COMPILE_CACHE names', async () => {
    const stack = new RunningStack(command, state, { NODE_COMPILE_CACHE: state });
    expect(await stack.exited).toEqual([0, null]);
    expect(stack.output).toContain(`\n${state}/`);
  });
});

test.each(['20.20.2', '26.1.0'])(
  'another Node.js, %s, gets a message with the required version',
  async (version) => {
    const other = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
    const stack = new RunningStack([process.execPath, '--import', other, 'tools/local/start.ts'], state, {});
    const [code] = await stack.exited;
    expect(code).toBe(1);
    const needed = 'The local stack needs Node.js 24, the version that its Lambdas run on';
    expect(stack.output.startsWith(`${needed}; this is ${version}.`)).toBe(true);
    expect(stack.output.trim()).not.toContain('\n');
  },
);
