import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { environments } from '../../tools/bench/cold/environments.ts';
import { apiLambdas } from '../../tools/bench/cold/report.ts';
import { usual } from '../../tools/bench/cold/variants.ts';
import { budgetOf } from '../../bundling/budget.ts';
import { bundle, bundledLambdas, entryOf } from '../../bundling/bundle.ts';
import { stubs } from '../../bundling/stub-sdk.ts';
import { deploymentLambdas } from '../support/deployment-lambdas.ts';
import { metafileIn, sharedOfRun } from '../support/run-services.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Output = Metafile['outputs'][string];
let inputs: Metafile['inputs'];
const outputs = new Map<string, Output>();
/** The bundles that the stacks of the run have. */
let first: string;

beforeAll(async () => {
  first = await sharedOfRun('bundles');
  const metafile = JSON.parse(readFileSync(metafileIn(first), 'utf8')) as Metafile;
  inputs = metafile.inputs;
  for (const [path, output] of Object.entries(metafile.outputs)) {
    const name = /([^/]+)\/index\.mjs$/.exec(path)?.[1];
    if (name !== undefined) outputs.set(name, output);
  }
});

function outputOf(name: string): Output {
  const output = outputs.get(name);
  if (!output) throw new Error(`${name} was not bundled`);
  return output;
}

const inputsOf = (name: string): string[] => Object.keys(outputOf(name).inputs);
const runningLambdas = bundledLambdas().filter((name) => !deploymentLambdas.includes(name));

/** Each of these modules was in a bundle once. No Lambda needs them, and they are large or slow to load. */
const unwanted = [
  '/@aws-sdk/nested-clients/',
  '/@aws-sdk/credential-provider-',
  '/@aws-sdk/token-providers/',
  '/@aws-sdk/endpoint-cache/',
  '/@aws-sdk/signature-v4-multi-region/',
  '/@smithy/credential-provider-imds/',
  '/submodules/event-streams/',
  '/submodules/cbor/',
  '/node-http2-handler',
  '/bowser/',
  '/mnemonist/',
  '/zod/',
  '/aws-xray-sdk-core/',
  '/dist-cjs/',
  // What deployments and the local stack read.
  '/lambdas/lambda-definition.ts',
  '/lambdas/index.ts',
  '/lambdas/registered.ts',
];

test.each(runningLambdas)('%s is within its budget', (name) => {
  expect(outputOf(name).bytes).toBeLessThanOrEqual(budgetOf(inputsOf(name), apiLambdas.has(name)));
});

const callsAws = (name: string): boolean => inputsOf(name).some((path) => path.includes('/@aws-sdk/client-'));

test('the budget of each Lambda that calls AWS is at most half of what the usual bundling makes', async () => {
  const { bytes } = await usual(runningLambdas.map(entryOf), join(folder, 'control'));
  for (const name of runningLambdas.filter(callsAws))
    expect(budgetOf(inputsOf(name), apiLambdas.has(name))).toBeLessThanOrEqual((bytes.get(name) ?? 0) / 2);
});

test.each(Object.entries(stubs).flatMap(([stub, imports]) => imports.map((one) => [stub, one] as const)))(
  '%s replaces an import of the SDK that exists: %s',
  (stub, replaced) => {
    const imports = Object.values(inputs).flatMap((input) => input.imports);
    expect(imports).toContainEqual(
      expect.objectContaining({
        original: expect.stringMatching(replaced),
        path: `bundling/stubs/${stub}.ts`,
      }),
    );
  },
);

/** Loads one bundle after the other, each where the environment has its variables alone. */
const loadAll = `
  const [all] = process.argv.slice(1);
  const parameters = {};
  for (const { name, url, environment } of JSON.parse(all)) {
    for (const variable of Object.keys(process.env)) delete process.env[variable];
    Object.assign(process.env, environment);
    parameters[name] = (await import(url)).handler.length;
  }
  console.log(JSON.stringify(parameters));`;

describe('the handlers', () => {
  let parameters: Record<string, number>;

  beforeAll(async () => {
    const all = bundledLambdas().map((name) => {
      const url = pathToFileURL(join(first, name, 'index.mjs')).href;
      return { name, url, environment: environments.get(name) };
    });
    const args = ['--input-type=module', '-e', loadAll, JSON.stringify(all)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    parameters = JSON.parse(stdout) as Record<string, number>;
  });

  test.each(bundledLambdas())('%s takes no callback, which Lambda rejects for Node.js 24', (name) => {
    expect([1, 2]).toContain(parameters[name]);
  });
});

describe.each(bundledLambdas())('%s', (name) => {
  test('exports its handler', () => {
    expect(outputOf(name).exports).toEqual(['handler']);
  });

  test('contains no module that it does not need', () => {
    expect(inputsOf(name).filter((path) => unwanted.some((part) => `/${path}`.includes(part)))).toEqual([]);
  });

  test('has no static import: Lambda may lack the module, and built-in modules load slowly', () => {
    expect(outputOf(name).imports).toEqual([]);
  });
});

/** The bundles of all Lambdas by another process, in another folder, are compared where one synthesizes the stacks. */
test('a process with other globals makes the same bundle, in any folder', async () => {
  const names = ['list-devices', 'send-to-user', 'export-events', 'deploy-web-app'];
  const second = join(folder, 'second', 'deeper');
  // As a child process has `send`, and its parent has not.
  Object.assign(process, { addedByThisProcess: 1 });
  await bundle(names.map(entryOf), second);
  Reflect.deleteProperty(process, 'addedByThisProcess');
  const read = (place: string, name: string) => readFileSync(join(place, name, 'index.mjs'), 'utf8');
  expect(names.filter((name) => read(second, name) !== read(first, name))).toEqual([]);
});

test('the source map beside a bundle names the sources', () => {
  const [name = ''] = bundledLambdas();
  const { sources } = JSON.parse(readFileSync(join(first, name, 'index.mjs.map'), 'utf8')) as {
    sources: string[];
  };
  expect(sources.some((path) => path.endsWith(`lambdas/${name}/index.ts`))).toBe(true);
});
