import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLambdas, type Lambdas } from '../../../../tools/local/lambda/lambdas.ts';

let folder: string;
let lambdas: Lambdas;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-lambdas-'));
  lambdas = createLambdas({
    bundles: join(import.meta.dirname, 'lambdas'),
    environments: { echo: { OWN: 'mine' }, failing: {} },
    aws: { region: 'eu-central-1', endpoints: { dynamodb: 'http://127.0.0.1:1', sns: 'http://127.0.0.1:2' } },
    logFile: join(folder, 'lambda.log'),
  });
});

afterEach(async () => {
  await lambdas.close();
  await rm(folder, { recursive: true });
});

test("each Lambda has the runtime's variables, its access key, the AWS endpoints and its own variables", async () => {
  expect(await lambdas.invoke('echo', {})).toMatchObject({
    payload: {
      environment: {
        AWS_ACCESS_KEY_ID: 'LAMBDAECHO',
        AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
        AWS_ENDPOINT_URL_SNS: 'http://127.0.0.1:2',
        AWS_LAMBDA_FUNCTION_NAME: 'omi-local-echo',
        AWS_REGION: 'eu-central-1',
        OMI_VERSION: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        OWN: 'mine',
        POWERTOOLS_METRICS_NAMESPACE: 'omi',
        POWERTOOLS_SERVICE_NAME: 'omi',
      },
      context: { invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:omi-local-echo' },
    },
  });
});

test('a variable without a value is not set', async () => {
  expect(JSON.stringify(await lambdas.invoke('echo', {}))).not.toContain('ABSENT');
});

test('Lambdas are loaded before their first calls', async () => {
  await lambdas.warm();
  const warmedAt = Date.now();
  const invocation = (await lambdas.invoke('echo', {})) as { payload: { loadedAt: number } };
  expect(invocation.payload.loadedAt).toBeLessThanOrEqual(warmedAt);
});

test("the Lambdas' output is in a file that only its owner can read", async () => {
  await lambdas.invoke('echo', { print: 'first' });
  await lambdas.invoke('failing', { way: 'throw' });
  await lambdas.close();
  const file = join(folder, 'lambda.log');
  expect(await readFile(file, 'utf8')).toMatch(/^first\n.*"errorMessage":"out of range"/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('an unknown name is rejected', async () => {
  await expect(lambdas.invoke('other', {})).rejects.toThrow('There is no Lambda other');
});
