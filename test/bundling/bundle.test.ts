import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiLambdas } from '../../bench/cold/api-lambdas.ts';
import { environments } from '../../bench/cold/environments.ts';
import { budgetOf } from '../../bundling/budget.ts';
import { bundledLambdas, bundleLambdas } from '../../bundling/bundle.ts';

const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Output = Metafile['outputs'][string];
const outputs = new Map<string, Output>();

beforeAll(async () => {
  const metafile = await bundleLambdas(join(folder, 'first'));
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
/** Runs when a stack is deployed, not when a user waits. */
const deploymentOnly = ['push-application'];

/** Each of these was in a bundle once, of no use there and large or slow to load. */
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
];

test.each(bundledLambdas().filter((name) => !deploymentOnly.includes(name)))(
  '%s is within its budget',
  (name) => {
    expect(outputOf(name).bytes).toBeLessThanOrEqual(budgetOf(inputsOf(name), apiLambdas.has(name)));
  },
);

describe.each(bundledLambdas())('%s', (name) => {
  test('exports its handler', () => {
    expect(outputOf(name).exports).toEqual(['handler']);
  });

  test('takes the event and the context, and no callback: Node.js 24 on Lambda refuses one at the start', async () => {
    const bundle = pathToFileURL(join(folder, 'first', name, 'index.mjs')).href;
    const program = `console.log((await import(${JSON.stringify(bundle)})).handler.length)`;
    const env = { ...environments.get(name) };
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { env });
    expect([1, 2]).toContain(Number(stdout));
  });

  test('holds nothing that it cannot use', () => {
    expect(inputsOf(name).filter((path) => unwanted.some((part) => `/${path}`.includes(part)))).toEqual([]);
  });

  test('imports nothing statically: neither a module that Lambda lacks, nor a built-in that loads slowly', () => {
    expect(outputOf(name).imports).toEqual([]);
  });
});

test('the same source makes the same bundle anywhere, so every stage deploys the same asset', async () => {
  await bundleLambdas(join(folder, 'second', 'deeper'));
  for (const name of bundledLambdas()) {
    const read = (place: string) => readFileSync(join(folder, place, name, 'index.mjs'), 'utf8');
    expect(read('second/deeper') === read('first')).toBe(true);
  }
});

test('a stack trace can be read with the map beside the bundle', () => {
  const [name = ''] = bundledLambdas();
  const { sources } = JSON.parse(readFileSync(join(folder, 'first', name, 'index.mjs.map'), 'utf8')) as {
    sources: string[];
  };
  expect(sources.some((path) => path.endsWith(`lambdas/${name}/index.ts`))).toBe(true);
});
