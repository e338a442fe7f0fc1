import { randomUUID } from 'node:crypto';
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  type KinesisClient,
  PutRecordsCommand,
} from '@aws-sdk/client-kinesis';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StreamReader } from '../../../tools/client/stream-reader.ts';
import { type LocalCloud, startLocalCloud } from '../../../tools/local/aws/cloud.ts';
import { kinesisOf } from '../../../tools/local/client/reader-access.ts';
import { until } from '../../support/waiting.ts';
import { sharedEmulators } from '../../support/run-services.ts';

let cloud: LocalCloud;
let client: KinesisClient;
/** Records in a page, at most. Kinesis has ten thousand. */
let limit: number | undefined;

beforeAll(async () => {
  cloud = await startLocalCloud({ ...(await sharedEmulators()), log: () => undefined });
  client = kinesisOf({ aws: cloud });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async ({ input, ...given }) =>
        await next({
          ...given,
          input: commandName === GetRecordsCommand.name ? { ...input, Limit: limit } : input,
        }),
    { step: 'initialize' },
  );
});
afterAll(async () => {
  client.destroy();
  await cloud.close();
});

async function streamWith(data: string[]): Promise<string> {
  const StreamName = `events-${randomUUID()}`;
  await client.send(new CreateStreamCommand({ StreamName, ShardCount: 1 }));
  const status = async () =>
    (await client.send(new DescribeStreamSummaryCommand({ StreamName }))).StreamDescriptionSummary
      ?.StreamStatus;
  await until(async () => (await status()) === 'ACTIVE');
  await put(StreamName, data);
  return StreamName;
}

async function put(StreamName: string, data: string[]): Promise<void> {
  const Records = data.map((text) => ({ Data: Buffer.from(text), PartitionKey: text }));
  await client.send(new PutRecordsCommand({ StreamName, Records }));
}

test('a reader returns existing records and then new ones', async () => {
  limit = undefined;
  const stream = await streamWith(['a', 'b']);
  const reader = await StreamReader.open(client, stream);
  expect((await reader.read()).map(({ data }) => data)).toEqual(['a', 'b']);
  await put(stream, ['c']);
  expect((await reader.read()).map(({ data }) => data)).toEqual(['c']);
  expect(await reader.read()).toEqual([]);
});

test('a reader returns all pages', async () => {
  limit = 2;
  const data = ['a', 'b', 'c', 'd', 'e'];
  const reader = await StreamReader.open(client, await streamWith(data));
  expect((await reader.read()).map((record) => record.data)).toEqual(data);
});
