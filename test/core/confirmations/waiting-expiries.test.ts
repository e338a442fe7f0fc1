import { randomBytes, randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DeleteCommand, ScanCommand, type BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ExpiryQueue, readExpiry, type Expiry } from '../../../core/confirmations/expiry-queue.ts';
import { queueDueExpiries } from '../../../core/confirmations/queue-due-expiries.ts';
import { WaitingExpiryStore } from '../../../core/confirmations/waiting-expiry-store.ts';
import { sha256 } from '../../../core/kernel/identifiers.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { LocalQueue } from '../../support/local-queue.ts';
import { PushWorld } from '../../support/push-world.ts';

const minute = 60_000;
const quarter = 15 * minute;
/** Twelve minutes after the beginning of a quarter of an hour. */
const start = Math.ceil(Date.now() / quarter) * quarter + 12 * minute;
const tenantId = randomUUID();

let queue: LocalQueue;
let client: DynamoDBDocumentClient;
let waiting: WaitingExpiryStore;
const error = jest.spyOn(logger, 'error').mockReturnValue();

beforeAll(async () => {
  client = await PushWorld.database();
  queue = await LocalQueue.start();
});
beforeEach(async () => {
  queue.reset();
  error.mockClear();
  waiting = new WaitingExpiryStore(client, 'expiries');
  for (const Key of await keys()) await client.send(new DeleteCommand({ TableName: 'expiries', Key }));
});
afterAll(async () => await queue.close());

async function keys(): Promise<object[]> {
  const { Items = [] } = await client.send(
    new ScanCommand({ TableName: 'expiries', ProjectionExpression: 'pk, sk' }),
  );
  return Items;
}

const expiryAt = (expiresAt: number, name = String(expiresAt)): Expiry => ({
  tenantId,
  challengeId: sha256(name),
  expiresAt,
});
const clock = async (now: number, endsAt = Infinity) =>
  await queueDueExpiries({ waiting, queue: new ExpiryQueue(queue.client, queue.url) }, now, endsAt);
const queued = () =>
  queue.entries('SendMessageBatch').map(({ MessageBody }) => readExpiry(String(MessageBody)));

/** A client whose first batches of several writes are not processed. */
function throttled(times: number): DynamoDBDocumentClient {
  let left = times;
  const send = async (command: BatchWriteCommand) => {
    const writes = command.input.RequestItems?.['expiries'] ?? [];
    if (left === 0 || writes.length < 2) return await client.send(command);
    left -= 1;
    return { UnprocessedItems: { expiries: writes } };
  };
  return { send } as unknown as DynamoDBDocumentClient;
}

describe('expiries that are too far away for SQS', () => {
  test('are queued once each when due within 15 minutes, whatever their quarter of an hour', async () => {
    const after = [16, 17, 20, 31, 60, 150].map((minutes) => expiryAt(start + minutes * minute));
    expect(await waiting.add(after)).toEqual({ failed: [], reasons: [] });

    expect(await clock(start)).toEqual({ queued: 0, failed: 0 });
    expect(await clock(start + 5 * minute)).toMatchObject({ queued: 2, oldest: after[0]?.expiresAt });
    expect(queued()).toEqual(expect.arrayContaining(after.slice(0, 2)));
    expect(await clock(start + 5 * minute)).toEqual({ queued: 0, failed: 0 });
    queue.reset();
    for (let minutes = 6; minutes <= 150; minutes += 5) await clock(start + minutes * minute);
    expect(queued().toSorted((a, b) => (a?.expiresAt ?? 0) - (b?.expiresAt ?? 0))).toEqual(after.slice(2));
  });

  test('leave nothing behind, not even their partitions', async () => {
    await waiting.add([16, 17, 40].map((minutes) => expiryAt(start + minutes * minute)));
    for (let minutes = 0; minutes <= 65; minutes += 5) await clock(start + minutes * minute);
    expect(queued()).toHaveLength(3);
    expect(await keys()).toEqual([]);
  });

  test('are found after the schedule did not run for days', async () => {
    const late = [16, 600].map((minutes) => expiryAt(start + minutes * minute));
    await waiting.add(late);
    expect(await clock(start + 3 * 24 * 60 * minute)).toMatchObject({
      queued: 2,
      oldest: late[0]?.expiresAt,
    });
    expect(new Set(queued())).toEqual(new Set(late));
  });

  test('stay in the table while SQS refuses them, together with their quarter', async () => {
    const one = expiryAt(start + 16 * minute);
    await waiting.add([one]);
    const { id } = queue.faults.add({ service: 'sqs', fault: 'unavailable' });
    expect(await clock(start + 60 * minute)).toMatchObject({ queued: 0, failed: 1 });
    expect(error).toHaveBeenCalledWith('not queued', expect.objectContaining({ failed: 1 }));
    queue.faults.remove(id);
    expect(await clock(start + 65 * minute)).toMatchObject({ queued: 1, failed: 0 });
    expect(queued()).toEqual([one]);
    expect(await keys()).toEqual([]);
  });

  test('are all queued, page by page, when one partition has many', async () => {
    // The first byte decides the shard.
    const challengeIds = Array.from({ length: 1_100 }, () =>
      Buffer.concat([Buffer.of(0), randomBytes(31)]).toString('base64url'),
    );
    const many = challengeIds.map((challengeId) => ({
      tenantId,
      challengeId,
      expiresAt: start + 20 * minute,
    }));
    expect(await waiting.add(many)).toEqual({ failed: [], reasons: [] });
    let left = many.length;
    // On a busy machine calls of SQS may take too long; the next run queues what is left.
    while (left > 0) left -= (await clock(start + 10 * minute)).queued;
    expect(new Set(queued().map((expiry) => expiry?.challengeId))).toEqual(new Set(challengeIds));
    expect(await keys()).toHaveLength(1);
  });

  test('wait for the next call when the time is over', async () => {
    await waiting.add([expiryAt(start + 20 * minute)]);
    expect(await clock(start + 10 * minute, 0)).toEqual({ queued: 0, failed: 0 });
    expect(await clock(start + 11 * minute)).toMatchObject({ queued: 1 });
  });

  test('are written again when a throttled table leaves some undone, and reported if it does so again', async () => {
    const expiries = [1, 2, 3].map((index) => expiryAt(start + 20 * minute, `throttled-${index}`));
    const twice = new WaitingExpiryStore(throttled(2), 'expiries');
    expect(await twice.add(expiries)).toEqual({ failed: [], reasons: [] });
    const always = new WaitingExpiryStore(throttled(Infinity), 'expiries');
    expect(await always.add(expiries)).toEqual({ failed: expiries, reasons: ['UnprocessedItems'] });
    expect(await clock(start + 10 * minute)).toMatchObject({ queued: 3 });
  });
});
