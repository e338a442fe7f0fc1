import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as sns from '@aws-sdk/client-sns';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundle } from '../../bundling/bundle.ts';
import { foreignExceptions } from '../../bundling/rewrites/foreign-exceptions.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));

/** Fails every call with the error that it asks for. */
const aws = createServer((request, response) => {
  void failureFor(request).then(({ status, body }) => response.writeHead(status).end(body));
});

async function failureFor(request: IncomingMessage): Promise<{ status: number; body: string }> {
  const body = await text(request);
  const name = request.headers['x-amz-target']
    ? (JSON.parse(body) as { Key: { pk: { S: string } } }).Key.pk.S
    : (new URLSearchParams(body).get('Message') ?? '');
  const status = name.startsWith('Internal') ? 500 : 400;
  return { status, body: request.headers['x-amz-target'] ? jsonError(name) : xmlError(name) };
}

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

beforeAll(async () => {
  await bundle([{ in: 'test/bundling/failing-lambda.ts', out: 'failing/index' }], folder);
  await once(aws.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  aws.close();
  await once(aws, 'close');
  rmSync(folder, { recursive: true });
});

type Wanted = { service: 'dynamodb' | 'sns'; error: string };

/** What the sample sees of the errors, from its bundle or from its source with the SDK as it is. */
async function seenBy(file: string, wanted: Wanted[]): Promise<Record<string, unknown>[]> {
  const url = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
  const program = `const { handler } = await import(${JSON.stringify(file)});
    console.log(JSON.stringify(await handler(${JSON.stringify(wanted)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: url,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
  });
  return JSON.parse(stdout) as Record<string, unknown>[];
}

const source = resolve('test/bundling/failing-lambda.ts');
const exceptionsIn = (client: object): string[] =>
  Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'function' &&
    (value as { prototype: unknown }).prototype instanceof Error &&
    !name.endsWith('ServiceException')
      ? [name]
      : [],
  );

/** What SNS writes on the wire for an exception of the client. */
const codeOf = (exception: string): string => exception.replace(/Exception$/, '');

describe("a bundle's code sees of an error of AWS what it would without bundling", () => {
  test.each([
    ['DynamoDB', 'dynamodb', [...exceptionsIn(dynamodb), 'AnErrorOfTomorrow']],
    ['SNS', 'sns', [...exceptionsIn(sns).map(codeOf), ...exceptionsIn(sns), 'AnErrorOfTomorrow']],
  ] as const)('%s', async (_, service, names) => {
    const foreign = foreignExceptions(`/client-${service}/`);
    const isForeign = (name: string): boolean => foreign.has(name) || foreign.has(`${name}Exception`);
    const wanted = names.filter((name) => !isForeign(name)).map((error): Wanted => ({ service, error }));
    const inBundle = await seenBy(join(folder, 'failing/index.mjs'), wanted);
    expect(inBundle).toHaveLength(wanted.length);
    const outside = await seenBy(source, wanted);
    expect(withoutRequest(inBundle)).toEqual(withoutRequest(outside));
  });

  test('where it is of an operation that no Lambda calls, its name and message', async () => {
    const wanted: Wanted[] = [...foreignExceptions('/client-dynamodb/')].map((error) => ({
      service: 'dynamodb',
      error,
    }));
    for (const [index, seen] of (await seenBy(join(folder, 'failing/index.mjs'), wanted)).entries()) {
      const name = wanted[index]?.error;
      expect(seen).toMatchObject({
        name,
        message: `about ${name ?? ''}`,
        classes: ['DynamoDBServiceException'],
      });
    }
  });
});

/** Attempts and times differ from call to call. */
const withoutRequest = (errors: Record<string, unknown>[]) =>
  errors.map((error) => ({ ...error, $metadata: undefined }));

test('no operation that a Lambda calls documents an error that the bundles leave out', () => {
  const sources = globSync('{core,lambdas}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const commands = new Set(
    sources.flatMap((code) => [...code.matchAll(/\b(\w+Command)\b/g)].map(([, name]) => name)),
  );
  for (const client of ['dynamodb', 'sns'])
    for (const command of [...commands, 'GetItemCommand', 'TransactWriteItemsCommand']) {
      const [file] = globSync(
        `node_modules/@aws-sdk/client-${client}/dist-types/commands/${command ?? ''}.d.ts`,
      );
      if (file === undefined) continue;
      const documented = [...readFileSync(file, 'utf8').matchAll(/@throws \{@link (\w+)\}/g)].map(
        ([, name]) => name ?? '',
      );
      expect(documented.filter((name) => foreignExceptions(`/client-${client}/`).has(name))).toEqual([]);
    }
});
