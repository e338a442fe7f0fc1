import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as kms from '@aws-sdk/client-kms';
import * as sns from '@aws-sdk/client-sns';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundle } from '../../bundling/bundle.ts';
import { credentials, runHandler, startAws } from './run-handler.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));

/** Fails every call with the error that the call names. */
async function failureFor(request: IncomingMessage): Promise<{ status: number; body: string }> {
  const body = await text(request);
  const name = request.headers['x-amz-target']
    ? wantedIn(JSON.parse(body) as { Key: { pk: { S: string } } } | { KeyId: string })
    : (new URLSearchParams(body).get('Message') ?? '');
  const status = /^(Internal|KMSInternal|DependencyTimeout|KeyUnavailable)/.test(name) ? 500 : 400;
  return { status, body: request.headers['x-amz-target'] ? jsonError(name) : xmlError(name) };
}

const wantedIn = (call: { Key: { pk: { S: string } } } | { KeyId: string }): string =>
  'KeyId' in call ? call.KeyId : call.Key.pk.S;

const jsonError = (name: string): string =>
  JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: `about ${name}`,
    Item: { pk: { S: 'stored' } },
    CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: { pk: { S: 'stored' } } }],
    ThrottlingReasons: [{ reason: 'busy', resource: 'table' }],
  });

const xmlError = (code: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>about ${code}</Message></Error><RequestId>r-1</RequestId></ErrorResponse>`;

let aws: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  await bundle([{ in: 'test/bundling/failing-lambda.ts', out: 'failing/index' }], folder);
  aws = await startAws((request, response) => {
    void failureFor(request).then(({ status, body }) => response.writeHead(status).end(body));
  });
});
afterAll(async () => {
  await aws.stop();
  rmSync(folder, { recursive: true });
});

type Wanted = { service: 'dynamodb' | 'kms' | 'sns'; error: string };

/** The errors as the sample Lambda sees them, without what differs between two calls: attempts and times. */
async function seenBy(file: string, wanted: Wanted[]): Promise<unknown[]> {
  const environment = { ...credentials, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: aws.url };
  const errors = (await runHandler(file, environment, wanted)) as object[];
  return errors.map((error) => ({ ...error, $metadata: undefined }));
}

const exceptionsIn = (client: object): string[] =>
  Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'function' &&
    (value as { prototype: unknown }).prototype instanceof Error &&
    !name.endsWith('ServiceException')
      ? [name]
      : [],
  );

/** The codes that SNS sends for exceptions that have a class in a bundle. */
const withClass = [
  'AuthorizationError',
  'EndpointDisabled',
  'InvalidParameter',
  'NotFound',
  'PlatformApplicationDisabled',
  'Throttled',
];

test.each([
  ['DynamoDB', 'dynamodb', [...exceptionsIn(dynamodb), 'AnErrorOfTomorrow']],
  ['KMS', 'kms', [...exceptionsIn(kms), 'AnErrorOfTomorrow']],
  ['SNS with a class', 'sns', withClass],
] as const)('errors of %s are the same in a bundle and without bundling', async (_, service, names) => {
  const wanted = names.map((error): Wanted => ({ service, error }));
  const inBundle = await seenBy(join(folder, 'failing/index.mjs'), wanted);
  expect(inBundle).toHaveLength(wanted.length);
  expect(inBundle).toEqual(await seenBy(resolve('test/bundling/failing-lambda.ts'), wanted));
});

test('any other error of SNS is named as its code, in a bundle', async () => {
  const codes = exceptionsIn(sns).map((name) => name.replace(/Exception$/, ''));
  const others = [...codes.filter((code) => !withClass.includes(code)), 'AnErrorOfTomorrow'];
  const wanted = others.map((error): Wanted => ({ service: 'sns', error }));
  const named = others.map((name) => ({ name, message: `about ${name}`, classes: ['SNSServiceException'] }));
  expect(await seenBy(join(folder, 'failing/index.mjs'), wanted)).toMatchObject(named);
});
