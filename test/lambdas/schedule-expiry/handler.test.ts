import { randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { readCallbackMessage } from '../../../core/callbacks/callback-message.ts';
import { CallbackQueue } from '../../../core/callbacks/callback-queue.ts';
import { ExpiryQueue, readExpiry } from '../../../core/confirmations/expiry-queue.ts';
import { ExpirySchedule } from '../../../core/confirmations/expiry-schedule.ts';
import { WaitingExpiryStore } from '../../../core/confirmations/waiting-expiry-store.ts';
import { sha256 } from '../../../core/kernel/identifiers.ts';
import type { Notify } from '../../../core/confirmations/confirmation.ts';
import { notifyCodes } from '../../../core/confirmations/notify-codes.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { eventSources } from '../../../lambdas/event-sources.ts';
import { createHandler } from '../../../lambdas/schedule-expiry/handler.ts';
import { passes } from '../../../tools/local/event-sources/filter.ts';
import { LocalQueue } from '../../support/local-queue.ts';
import { PushWorld } from '../../support/push-world.ts';

let queue: LocalQueue;
let database: DynamoDBDocumentClient;
let waiting: WaitingExpiryStore;
const info = jest.spyOn(logger, 'info').mockReturnValue();
const error = jest.spyOn(logger, 'error').mockReturnValue();

beforeAll(async () => {
  database = await PushWorld.database();
  waiting = new WaitingExpiryStore(database, 'expiries');
  queue = await LocalQueue.start();
});
beforeEach(() => {
  queue.reset();
  info.mockClear();
  error.mockClear();
});
afterAll(async () => await queue.close());

const handle = async (Records: DynamoDBRecord[]) =>
  await createHandler({
    schedule: new ExpirySchedule(new ExpiryQueue(queue.client, queue.url), waiting),
    callbacks: new CallbackQueue(queue.client, queue.url),
  })({ Records });

/** As the stream tells of an item. */
const recordOf = (item: Record<string, unknown>, sequenceNumber = '1'): DynamoDBRecord => ({
  eventName: 'INSERT',
  dynamodb: { SequenceNumber: sequenceNumber, NewImage: marshall(item) as Record<string, AttributeValue> },
});

const tenantId = randomUUID();
const sentIn = (seconds: number, n: number): DynamoDBRecord =>
  recordOf({ pk: `${tenantId}#${sha256(String(n))}`, expiresAt: Date.now() + seconds * 1_000 }, String(n));

const series = (count: number) => Array.from({ length: count }, (_, n) => sentIn(60, n));
const scheduled = () =>
  queue.entries('SendMessageBatch').map(({ MessageBody }) => readExpiry(String(MessageBody))?.challengeId);
const challengeIds = (count: number) => Array.from({ length: count }, (_, n) => sha256(String(n)));

test('only the sent event of a confirmation passes the filter, and schedules the expiry', async () => {
  const world = new PushWorld(database);
  const now = Date.now();
  await world.addDevice('phone', now - 1_000);
  const confirmation = await world.send({ nonce: 'a-nonce-of-its-own', expiresIn: 30 }, now);
  await world.poll('a-nonce-of-its-own', confirmation.expiresAt);
  await world.remove('phone', now + 31_000);

  const { Items = [] } = await database.send(new ScanCommand({ TableName: 'events' }));
  const { filters } = eventSources[0];
  const passing = Items.map((item) => recordOf(item)).filter((record) => passes(filters, record));
  expect(Items.length).toBeGreaterThan(2);
  expect(passing).toHaveLength(1);

  expect(await handle(passing)).toEqual({ batchItemFailures: [] });
  const [entry] = queue.entries('SendMessageBatch');
  expect(JSON.parse(String(entry?.['MessageBody']))).toEqual({
    tenantId: world.tenantId,
    challengeId: confirmation.challengeId,
    expiresAt: confirmation.expiresAt,
  });
});

test.each([
  ['until the first whole second after the expiry', 29.5, 30],
  ['by a second more if the expiry is on a whole second', 30, 31],
  ['not at all after the expiry', -5, 0],
  ['as long as SQS allows at most', 900, 900],
])('a message is delayed %s', async (_, seconds, delay) => {
  jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
  try {
    await handle([sentIn(seconds, 0)]);
  } finally {
    jest.spyOn(Date, 'now').mockRestore();
  }
  expect(queue.entries('SendMessageBatch')).toMatchObject([{ DelaySeconds: delay }]);
});

test('a batch of the stream is sent in calls of ten, with one line in the log', async () => {
  expect(await handle(series(35))).toEqual({ batchItemFailures: [] });
  expect(queue.inputs.map(({ input }) => input.Entries?.length).toSorted()).toEqual([10, 10, 10, 5]);
  expect(new Set(scheduled())).toEqual(new Set(challengeIds(35)));
  expect(info.mock.calls).toEqual([['scheduled', { scheduled: 35, callbacks: 0, failed: 0 }]]);
});

test('only messages that SQS does not accept are sent again', async () => {
  queue.faults.add({ service: 'sqs', operation: 'SendMessageBatch', fault: 'partial', ratio: 0.3, times: 1 });
  expect(await handle(series(10))).toEqual({ batchItemFailures: [] });
  expect(scheduled().toSorted()).toEqual(challengeIds(10).toSorted());
});

test('messages that SQS never accepts are reported to the stream', async () => {
  queue.faults.add({ service: 'sqs', operation: 'SendMessageBatch', fault: 'partial', ratio: 0.6 });
  const { batchItemFailures } = await handle(series(3));
  expect(batchItemFailures).toEqual([{ itemIdentifier: '0' }]);
  expect(error.mock.calls).toEqual([
    ['not scheduled', { scheduled: 2, callbacks: 0, failed: 1, reasons: ['InternalError'] }],
  ]);
});

test('an expiry too far away for SQS waits in the table until the schedule queues it', async () => {
  const far = sentIn(3600, 1);
  expect(await handle([sentIn(60, 0), far, sentIn(86_400, 2)])).toEqual({ batchItemFailures: [] });
  expect(scheduled()).toEqual(challengeIds(1));
  const expiresAt = Number(far.dynamodb?.NewImage?.['expiresAt']?.N);
  const found = [];
  for (const partition of await waiting.partitionsUntil(expiresAt + 1))
    for await (const page of waiting.dueBy(expiresAt + 1, partition)) found.push(...page);
  expect(found).toMatchObject([{ tenantId, challengeId: sha256('1'), expiresAt }]);
});

test('an expiry that the table refuses is reported to the stream, and delays nothing else', async () => {
  jest.spyOn(database, 'send').mockRejectedValueOnce(new Error('no table') as never);
  expect(await handle([sentIn(60, 0), sentIn(50_000, 1), sentIn(60, 2)])).toEqual({
    batchItemFailures: [{ itemIdentifier: '1' }],
  });
  expect(scheduled().toSorted()).toEqual([sha256('0'), sha256('2')].toSorted());
  expect(error.mock.calls).toEqual([
    ['not scheduled', { scheduled: 2, callbacks: 0, failed: 1, reasons: ['Error'] }],
  ]);
});

test.each(['throttle', 'unavailable', 'access-denied', 'not-found'] as const)(
  'nothing is lost while SQS refuses every call (%s)',
  async (fault) => {
    queue.faults.add({ service: 'sqs', fault });
    const { batchItemFailures } = await handle(series(12));
    expect(batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier))).toEqual([
      ...Array(12).keys(),
    ]);
    expect(error).toHaveBeenCalledTimes(1);
  },
);

const endedBy = (notify: Notify, n: number): DynamoDBRecord =>
  recordOf(
    { pk: `${tenantId}#${sha256(String(n))}`, sk: `event-${n}`, notify: notifyCodes[notify] },
    String(n),
  );
const queued = () =>
  queue.entries('SendMessageBatch').map(({ MessageBody }) => readCallbackMessage(String(MessageBody)));

test('the end of a confirmation is queued for each way to notify the client', async () => {
  const of = (n: number) => ({ tenantId, challengeId: sha256(String(n)), eventId: `event-${n}` });
  const records = [endedBy('callback', 1), endedBy('ping', 2), endedBy('both', 3), sentIn(60, 4)];
  const { filters } = eventSources[0];
  expect(records.filter((record) => passes(filters, record))).toHaveLength(4);
  expect(await handle(records)).toEqual({ batchItemFailures: [] });
  expect(queued().filter((one) => one !== undefined)).toEqual([
    { kind: 'callback', ...of(1) },
    { kind: 'ping', ...of(2) },
    { kind: 'callback', ...of(3) },
    { kind: 'ping', ...of(3) },
  ]);
  expect(scheduled()).toContain(sha256('4'));
  expect(info.mock.calls).toEqual([['scheduled', { scheduled: 1, callbacks: 4, failed: 0 }]]);
});

test('callbacks that SQS never accepts are reported to the stream, each record once', async () => {
  queue.faults.add({ service: 'sqs', fault: 'throttle' });
  const { batchItemFailures } = await handle([endedBy('both', 1), sentIn(60, 2)]);
  expect(batchItemFailures).toEqual([{ itemIdentifier: '2' }, { itemIdentifier: '1' }]);
});

test('a malformed record does not delay others', async () => {
  const records = [recordOf({ pk: 'without-a-tenant', expiresAt: 1 }, '7'), sentIn(60, 0)];
  expect(await handle(records)).toEqual({ batchItemFailures: [] });
  expect(scheduled()).toEqual(challengeIds(1));
  expect(error.mock.calls).toEqual([['unreadable', { sequenceNumber: '7' }]]);
});
