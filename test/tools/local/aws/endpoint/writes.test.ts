import { beforeEach, expect, jest, test } from '@jest/globals';
import type { AwsRequest, AwsResponse } from '../../../../../tools/local/aws/endpoint/http.ts';
import { dynamodb } from '../../../../../tools/local/aws/protocols/dynamodb.ts';
import { kinesis } from '../../../../../tools/local/aws/protocols/kinesis.ts';
import { Writes } from '../../../../../tools/local/aws/endpoint/writes.ts';

const done: AwsResponse = { status: 200, headers: {}, body: '{}' };
const failed: AwsResponse = { ...done, status: 400 };
const call = (operation: string, input: object): AwsRequest => ({
  method: 'POST',
  url: '/',
  headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
  body: Buffer.from(JSON.stringify(input)),
});

let writes: Writes;
beforeEach(() => {
  writes = new Writes(dynamodb);
});

const answered = async (request: AwsRequest, answer = done): Promise<AwsResponse> =>
  await writes.noting(() => answer)(request);

/** Which of the two tables was written to, while somebody waited for both of them. */
async function writtenIn(act: () => Promise<unknown>, since = Infinity): Promise<string[]> {
  const stopping = new AbortController();
  const written: string[] = [];
  const waiting = ['events', 'tenants'].map(async (table) => {
    if (await writes.since(since, table, stopping.signal)) written.push(table);
  });
  await act();
  // Those that were told of a write are there before this.
  await new Promise(setImmediate);
  stopping.abort();
  await Promise.all(waiting);
  return written;
}

const inEvents = { TableName: 'events' };

test.each([
  ['PutItem', inEvents, ['events']],
  ['UpdateItem', { TableName: 'arn:aws:dynamodb:eu-central-1:000000000000:table/tenants' }, ['tenants']],
  ['DeleteItem', inEvents, ['events']],
  ['BatchWriteItem', { RequestItems: { events: [], devices: [] } }, ['events']],
  [
    'TransactWriteItems',
    { TransactItems: [{ Put: { TableName: 'tenants' } }, { Update: inEvents }] },
    ['tenants', 'events'],
  ],
  ['Query', inEvents, []],
  ['GetItem', inEvents, []],
])('%s is reported to those who wait for its tables', async (operation, input, tables) => {
  expect(await writtenIn(async () => await answered(call(operation, input)))).toEqual(tables);
});

test.each(['PutRecord', 'PutRecords'])(
  '%s is reported to those who wait for its stream',
  async (operation) => {
    writes = new Writes(kinesis);
    expect(await writtenIn(async () => await answered(call(operation, { StreamName: 'events' })))).toEqual([
      'events',
    ]);
    expect(await writtenIn(async () => await answered(call('GetRecords', { ShardIterator: 'any' })))).toEqual(
      [],
    );
  },
);

test('a failed write is not reported', async () => {
  expect(await writtenIn(async () => await answered(call('PutItem', inEvents), failed))).toEqual([]);
});

test('the write recorder forwards the answer of AWS', async () => {
  expect(await answered(call('PutItem', inEvents), failed)).toBe(failed);
});

test('a write counts after the given time, and not before it', async () => {
  const now = jest.spyOn(Date, 'now');
  now.mockReturnValue(1_000_000);
  await answered(call('PutItem', inEvents));
  now.mockRestore();
  const nothing = async (): Promise<void> => await Promise.resolve();
  expect(await writtenIn(nothing, 1_000_000)).toEqual(['events']);
  expect(await writtenIn(nothing, 1_000_001)).toEqual([]);
});
