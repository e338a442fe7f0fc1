/** Streams of DynamoDB Local and queues of the local SQS, as they call Lambdas. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { localTables } from '../../../../tools/local/resources/tables.ts';
import { LocalEventSources } from './local-event-sources.ts';

let world: LocalEventSources;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-event-sources-'));
  world = await LocalEventSources.start(folder);
});

afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => world.reset());

const keysOf = (records: DynamoDBRecord[]) => records.map(({ dynamodb }) => dynamodb?.Keys?.['sk']?.S);
const bodiesOf = (records: SQSRecord[]) => records.map(({ body }) => body);

describe('a stream', () => {
  test("delivers a record in Lambda's format", async () => {
    await world.write({
      sk: 'shape',
      expiresAt: 1,
      bytes: new Uint8Array([255, 0]),
      list: [{ deep: new Uint8Array([1]) }],
    });
    const [record] = await world.streamed(1);
    expect(record).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f-]+$/),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-central-1',
      eventSourceARN: expect.stringMatching(/^arn:aws:dynamodb:.*:table\/omi-local-events\/stream\//),
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { pk: { S: 'pk' }, sk: { S: 'shape' } },
        NewImage: {
          pk: { S: 'pk' },
          sk: { S: 'shape' },
          expiresAt: { N: '1' },
          bytes: { B: '/wA=' },
          list: { L: [{ M: { deep: { B: 'AQ==' } } }] },
        },
        SequenceNumber: expect.stringMatching(/^\d+$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_IMAGE',
      },
    });
    const created = record?.dynamodb?.ApproximateCreationDateTime ?? 0;
    // DynamoDB Local truncates the time to the minute.
    expect(Math.abs(created - Date.now() / 1_000)).toBeLessThan(70);
  });

  test('delivers only records that pass the filter, in order', async () => {
    await world.write({ sk: 'first', expiresAt: 1 });
    await world.write({ sk: 'without' });
    await world.write({ sk: 'first', expiresAt: 2 });
    await world.write({ sk: 'last', expiresAt: 3 });
    expect(keysOf(await world.streamed(2))).toEqual(['first', 'last']);
  });

  test('retries from the first failed record', async () => {
    world.failStream(({ dynamodb }) => dynamodb?.Keys?.['sk']?.S === '2');
    for (const sk of ['1', '2', '3']) await world.write({ sk, expiresAt: 1 });
    await world.streamed(4);
    world.repair();
    const handled = keysOf(await world.handled(3));
    expect(handled).toEqual(['1', '2', '3']);
  });

  test.each(['throttle', 'unavailable', 'access-denied', 'not-found'] as const)(
    'continues after a fault of DynamoDB (%s)',
    async (fault) => {
      const struck = world.cloud.faults.add({
        service: 'dynamodb',
        operation: 'GetRecords',
        resource: localTables.events,
        fault,
      });
      // It wakes both readers of the table, which wait longer after each hit.
      await world.write({ sk: `before ${fault}` });
      while (struck.hits < 5) await wait(10);
      await world.write({ sk: fault, expiresAt: 1 });
      const before = struck.hits;
      while (struck.hits < before + 3) await wait(10);
      expect(world.received()).toEqual([]);
      world.cloud.faults.remove(struck.id);
      expect(keysOf(await world.streamed(1))).toEqual([fault]);
    },
  );

  test('continues after a call that was never answered', async () => {
    world.cloud.faults.add({
      service: 'dynamodb',
      operation: 'GetRecords',
      fault: 'timeout-after',
      times: 1,
    });
    await world.write({ sk: 'unanswered', expiresAt: 1 });
    expect(keysOf(await world.streamed(1))).toEqual(['unanswered']);
  });
});

describe('a queue', () => {
  test("delivers a message in Lambda's format, and deletes it after success", async () => {
    await world.send('shape', { MessageAttributes: { n: { DataType: 'Number', StringValue: '1' } } });
    const [record] = await world.queued(1);
    expect(record).toEqual({
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      body: 'shape',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: expect.any(String),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {
        n: { dataType: 'Number', stringValue: '1', stringListValues: [], binaryListValues: [] },
      },
      md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      md5OfMessageAttributes: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:omi-local-expiry',
      awsRegion: 'eu-central-1',
    });
    await world.queueIsEmpty();
  });

  test('keeps failed messages, and delivers them again when they are visible', async () => {
    world.failQueue(({ body }) => body === 'bad');
    await world.send('bad');
    await world.send('good');
    const [bad] = (await world.queued(2)).filter(({ body }) => body === 'bad');
    // First, as it is handed over the moment that it is visible.
    world.repair();
    await world.show(bad);
    expect(bodiesOf(await world.queued(3)).filter((body) => body === 'bad')).toHaveLength(2);
    await world.queueIsEmpty();
  });

  test('keeps the whole batch if the function failed', async () => {
    world.breakFunctions();
    await world.send('broken');
    const [first] = await world.queued(1);
    world.repair();
    await world.show(first);
    const [, again] = await world.queued(2);
    expect(again).toMatchObject({ body: 'broken', attributes: { ApproximateReceiveCount: '2' } });
    await world.queueIsEmpty();
  });

  test('delivers a delayed message at its time', async () => {
    const sentAt = Date.now();
    await world.send('late', { DelaySeconds: 1 });
    await world.queued(1);
    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(1_000);
  });

  test('continues after faults of SQS, and still deletes what succeeded', async () => {
    world.cloud.faults.add({
      service: 'sqs',
      operation: 'DeleteMessageBatch',
      fault: 'throttle',
      times: 2,
    });
    world.cloud.faults.add({ service: 'sqs', operation: 'ReceiveMessage', fault: 'unavailable', times: 8 });
    await world.send('first');
    await world.queued(1);
    await world.send('second');
    expect(bodiesOf(await world.queued(2))).toEqual(['first', 'second']);
    await world.queueIsEmpty();
  });
});

test('nothing is lost or repeated after a restart with stored data', async () => {
  await world.write({ sk: 'done', expiresAt: 1 });
  await world.handled(1);
  world.breakFunctions();
  await world.write({ sk: 'open', expiresAt: 1 });
  await world.streamed(2);
  await world.send('delayed', { DelaySeconds: 2 });

  await world.stop();
  await world.restart();
  expect(keysOf(await world.handled(1))).toEqual(['open']);
  expect(bodiesOf(await world.queued(1))).toEqual(['delayed']);
});
