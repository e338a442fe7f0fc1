import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundle } from '../../../../tools/bundling/bundle.ts';
import { createLambdas, type Lambdas } from '../../../../tools/local/lambda/lambdas.ts';
import type { LambdaError } from '../../../../tools/local/lambda/messages.ts';

const source = `
/** Long enough to stay a function. */
function refuse(payment: string): never {
  if (payment === '') console.log('There is no payment, nor is there another reason to go on with this.');
  throw new TypeError('no such payment');
}

export const handler = async ({ isUncaught = false }: { isUncaught?: boolean }): Promise<void> => {
  if (isUncaught) setTimeout(() => refuse('late'));
  await new Promise((resolve) => setTimeout(resolve, isUncaught ? 10_000 : 1));
  refuse('soon');
};
`;

const throwPlace = 'payments.ts:5:9';

let folder: string;
let lambdas: Lambdas;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'omi-source-traces-')));
  const bundles = join(folder, 'bundles');
  await writeFile(join(folder, 'payments.ts'), source);
  await bundle([{ in: join(folder, 'payments.ts'), out: 'payments/index' }], bundles);
  await mkdir(join(bundles, 'without-map'));
  await writeFile(
    join(bundles, 'without-map/index.mjs'),
    'export const handler = () => { throw new Error(); };',
  );
  lambdas = createLambdas({
    bundles,
    environments: { payments: {}, 'without-map': {} },
    aws: { region: 'eu-central-1', endpoints: {} },
    logFile: join(folder, 'lambda.log'),
  });
});

afterAll(async () => {
  await lambdas.close();
  await rm(folder, { recursive: true });
});

async function traceOf(name: string, event: object = {}): Promise<string[]> {
  const invocation = (await lambdas.invoke(name, event)) as { error: LambdaError };
  return invocation.error.trace ?? [];
}

test('the trace of an error names the function and its place in the source', async () => {
  const [first, frame, caller] = await traceOf('payments');
  expect(first).toBe('TypeError: no such payment');
  expect(frame).toBe(`    at refuse (${join(folder, throwPlace)})`);
  expect(caller).toMatch(/^ {4}at .*payments\.ts:11:3\)?$/);
});

test('the trace of an uncaught error names its place in the source', async () => {
  expect((await traceOf('payments', { isUncaught: true })).join('\n')).toContain(join(folder, throwPlace));
});

test('the trace in a bundle without a map names the place in the bundle', async () => {
  expect((await traceOf('without-map'))[1]).toMatch(/without-map\/index\.mjs:1:38\)$/);
});
