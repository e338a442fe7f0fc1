import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AwsRequest } from '../../../../../tools/local/aws/endpoint/http.ts';
import { jsonResponse } from '../../../../../tools/local/aws/protocols/json.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';

let seen: AwsRequest[];
let endpoint: Alone;
let client: DynamoDBClient;

beforeEach(async () => {
  seen = [];
  endpoint = await startAlone(services.dynamodb, (passed) => {
    seen.push(passed);
    return jsonResponse(200, {});
  });
  client = new DynamoDBClient(clientOf(endpoint.url, 'CALLER'));
});
afterEach(async () => await endpoint.close());

const key = { pk: { S: 'x' } };

describe('the record of a call', () => {
  test('has caller, operation and resource of one table', async () => {
    await client.send(new GetItemCommand({ TableName: 'tenants', Key: key }));
    expect(endpoint.calls.list()).toEqual([
      {
        at: expect.any(Number),
        caller: 'CALLER',
        service: 'dynamodb',
        operation: 'GetItem',
        attempt: 1,
        resources: ['tenants'],
      },
    ]);
  });

  test('has caller, operation and resource of an index', async () => {
    const query = { TableName: 'events', IndexName: 'byAcceptance', KeyConditionExpression: '#h = :h' };
    await client.send(new QueryCommand(query));
    expect(endpoint.calls.list()).toMatchObject([
      { operation: 'Query', resources: ['events/index/byAcceptance'] },
    ]);
  });

  test('has all tables of a transaction, with the operation on each', async () => {
    const TransactItems = [
      { Put: { TableName: 'confirmations', Item: key } },
      { Update: { TableName: 'devices', Key: key, UpdateExpression: 'SET a = :a' } },
      { ConditionCheck: { TableName: 'devices', Key: key, ConditionExpression: 'attribute_exists(pk)' } },
    ];
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    expect(endpoint.calls.list()).toMatchObject([
      {
        resources: ['confirmations', 'devices'],
        parts: [
          { operation: 'PutItem', resource: 'confirmations' },
          { operation: 'UpdateItem', resource: 'devices' },
          { operation: 'ConditionCheckItem', resource: 'devices' },
        ],
      },
    ]);
  });

  test('has all tables of a batch', async () => {
    await client.send(
      new BatchGetItemCommand({ RequestItems: { events: { Keys: [key] }, tenants: { Keys: [key] } } }),
    );
    expect(endpoint.calls.list()).toMatchObject([
      { operation: 'BatchGetItem', resources: ['events', 'tenants'] },
    ]);
  });

  test('exists even if the call meets a fault', async () => {
    endpoint.faults.add({ service: 'dynamodb', fault: 'throttle' });
    await expect(client.send(new GetItemCommand({ TableName: 'tenants', Key: key }))).rejects.toThrow();
    expect(endpoint.calls.list()).toHaveLength(1);
  });

  test('tells which attempt of the SDK it was', async () => {
    endpoint.faults.add({ service: 'dynamodb', fault: 'throttle', times: 1 });
    const patient = new DynamoDBClient({ ...clientOf(endpoint.url, 'CALLER'), maxAttempts: 2 });
    await patient.send(new GetItemCommand({ TableName: 'tenants', Key: key }));
    expect(endpoint.calls.list().map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

test.each([
  ['PUT', '/bucket', 'CreateBucket', 'bucket'],
  ['PUT', '/bucket/a/b%20c', 'PutObject', 'bucket/a/b c'],
  ['GET', '/bucket?list-type=2&prefix=x', 'ListObjectsV2', 'bucket'],
  ['GET', '/bucket/?location=', 'GetBucketLocation', 'bucket'],
  ['PUT', '/bucket/key?tagging=', 'PutObjectTagging', 'bucket/key'],
  ['DELETE', '/bucket/key', 'DeleteObject', 'bucket/key'],
  ['POST', '/bucket/key?uploads=', 'CreateMultipartUpload', 'bucket/key'],
  ['PUT', '/bucket/key?partNumber=1&uploadId=u', 'UploadPart', 'bucket/key'],
  ['POST', '/bucket?delete=', 'DeleteObjects', 'bucket'],
])('an S3 call is recognized by its form: %s %s', (method, url, operation, resource) => {
  const headers = { host: '127.0.0.1:1' };
  const described = services.s3.describe({ method, url, headers, body: Buffer.alloc(0) });
  expect(described).toMatchObject({ operation, resources: [resource] });
});

test('an S3 bucket may be part of the host', () => {
  const headers = { host: 'bucket.localhost:9000' };
  const described = services.s3.describe({ method: 'GET', url: '/key', headers, body: Buffer.alloc(0) });
  expect(described).toMatchObject({ operation: 'GetObject', resources: ['bucket/key'] });
});

describe('expired credentials', () => {
  test('are rejected', async () => {
    const { accessKeyId } = endpoint.sessions.open('arn:aws:iam::111122223333:role/r', 'session', 900);
    const temporary = new DynamoDBClient(clientOf(endpoint.url, accessKeyId));
    const call = async () => await temporary.send(new GetItemCommand({ TableName: 'tenants', Key: key }));
    await expect(call()).resolves.toBeDefined();
    endpoint.sessions.expireAll();
    await expect(call()).rejects.toMatchObject({ name: 'ExpiredTokenException' });
  });
});

test('a partial failure leaves its share of a batch unprocessed and forwards the others', async () => {
  endpoint.faults.add({ service: 'dynamodb', fault: 'partial', ratio: 0.5 });
  const writes = ['a', 'b', 'c'].map((pk) => ({ PutRequest: { Item: { pk: { S: pk } } } }));
  const { UnprocessedItems } = await client.send(
    new BatchWriteItemCommand({ RequestItems: { events: writes } }),
  );
  expect(UnprocessedItems).toEqual({ events: [writes[0], writes[2]] });
  expect(JSON.parse(String(seen[0]?.body))).toEqual({ RequestItems: { events: [writes[1]] } });
});

test('a timeout executes the call and never responds', async () => {
  endpoint.faults.add({ service: 'dynamodb', fault: 'timeout-after' });
  const waiting = new AbortController();
  const get = new GetItemCommand({ TableName: 'tenants', Key: key });
  const call = client.send(get, { abortSignal: waiting.signal });
  const ended = expect(call).rejects.toMatchObject({ name: 'AbortError' });
  while (seen.length === 0) await wait(5);
  await wait(200);
  waiting.abort();
  await ended;
  expect(seen).toHaveLength(1);
});

describe('the endpoint', () => {
  test.each([
    ['a foreign Host', { host: 'rebound.example.com' }, 403],
    ['another port', { host: '127.0.0.1:1' }, 403],
    ['a foreign Origin', { origin: 'https://example.com' }, 403],
    ['an opaque Origin', { origin: 'null' }, 403],
  ])('rejects a call from %s', async (_name, headers, status) => {
    expect(await statusOf(endpoint.url, headers)).toBe(status);
    expect(seen).toEqual([]);
  });
});

function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}
