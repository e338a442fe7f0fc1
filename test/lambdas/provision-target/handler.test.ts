import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { ProvisioningQueue } from '../../../core/export/kinds/bucket/provisioning/provisioning-queue.ts';
import { targetKey } from '../../../core/export/targets/target-item.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { createHandler } from '../../../lambdas/provision-target/handler.ts';
import { LocalQueue } from '../../support/local-queue.ts';
import { muchLater, ProvisioningWorld, roleOf } from '../../support/provisioning-world.ts';

let world: ProvisioningWorld;
let queue: LocalQueue;
const info = jest.spyOn(logger, 'info').mockReturnValue();
const warn = jest.spyOn(logger, 'warn').mockReturnValue();
const error = jest.spyOn(logger, 'error').mockReturnValue();

beforeAll(async () => {
  world = await ProvisioningWorld.start();
  queue = await LocalQueue.start();
});
beforeEach(() => {
  world.reset();
  queue.reset();
  for (const level of [info, warn, error]) level.mockClear();
});
afterAll(async () => {
  await queue.close();
  await world.close();
});

const messageOf = (ref: TargetRef, receives = 1, messageId = 'message'): SQSRecord =>
  recordOf(JSON.stringify(ref), receives, messageId);

const recordOf = (body: string, receives = 1, messageId = 'message', sentAt = Date.now()): SQSRecord =>
  ({
    messageId,
    receiptHandle: `receipt of ${messageId}`,
    body,
    attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(sentAt) },
  }) as SQSRecord;

const aMinute = { getRemainingTimeInMillis: () => 60_000 };

async function handle(Records: SQSRecord[], context = aMinute): Promise<string[]> {
  const handler = createHandler({ ...world.deps, queue: new ProvisioningQueue(queue.client, queue.url) });
  const { batchItemFailures } = await handler({ Records }, context);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

const held = () =>
  queue.entries('ChangeMessageVisibilityBatch').map(({ VisibilityTimeout }) => Number(VisibilityTimeout));

describe('a message', () => {
  test('stays until the delivery stream exists, then is done', async () => {
    const ref = await world.bucketTarget();
    const message = messageOf(ref);
    expect(await handle([message])).toEqual(['message']);
    expect(held()).toEqual([2]);
    while ((await world.described(ref))?.DeliveryStreamStatus === 'CREATING') continue;
    expect(await handle([message])).toEqual([]);
    expect((await world.target(ref)).provisionedAt).toBeDefined();
    expect(info.mock.calls).toEqual([
      ['provisioning', { ...ref, outcome: 'created' }],
      ['provisioning', { ...ref, outcome: 'provisioned' }],
    ]);
  });

  test.each([
    [1, 2],
    [3, 8],
    [5, 30],
    [500, 30],
  ])('is repeated after being received %d times and a pause of %d s', async (receives, seconds) => {
    expect(await handle([messageOf(await world.bucketTarget(), receives)])).toEqual(['message']);
    expect(held()).toEqual([seconds]);
  });

  test('waits while a delivery stream has to be kept', async () => {
    const ref = await world.bucketTarget();
    await world.provision(ref);
    await world.deps.targets.register(ref, { kind: 'none' }, Date.now());
    expect(await handle([messageOf(ref)])).toEqual(['message']);
    const [seconds = 0] = held();
    expect(seconds).toBeGreaterThan(300);
    expect(seconds).toBeLessThanOrEqual(420);
  });

  test('waits from the time it was sent when the target is gone', async () => {
    const ref = await world.bucketTarget();
    await world.provision(ref);
    await world.database.send(new DeleteCommand({ TableName: 'tenants', Key: targetKey(ref) }));
    const sent = (secondsAgo: number) =>
      recordOf(JSON.stringify(ref), 1, 'message', Date.now() - secondsAgo * 1_000);
    expect(await handle([sent(400)])).toEqual(['message']);
    expect(await world.described(ref)).toMatchObject({ DeliveryStreamStatus: 'ACTIVE' });
    expect(await handle([sent(420)])).toEqual(['message']);
    expect((await world.described(ref))?.DeliveryStreamStatus).not.toBe('ACTIVE');
  });

  test('is never delayed longer than SQS allows', async () => {
    const ref = await world.bucketTarget();
    await world.provision(ref);
    await world.deps.targets.register(ref, { kind: 'none' }, muchLater());
    await handle([messageOf(ref)]);
    expect(held()).toEqual([43_200]);
  });

  test('stays visible if its sender is unknown, and delays no other', async () => {
    const ref = await world.bucketTarget();
    await world.provision(ref);
    const strays = ['{"tenantId":"?","category":"log"}', 'no JSON'];
    const records = strays.map((body, n) => recordOf(body, 1, `stray ${n}`));
    expect(await handle([...records, messageOf(ref)])).toEqual(['stray 0', 'stray 1']);
    expect(error.mock.calls).toEqual([
      ['unreadable', { messageId: 'stray 0' }],
      ['unreadable', { messageId: 'stray 1' }],
    ]);
  });

  test('is repeated untouched when there is no time left for it', async () => {
    const [one, other] = [await world.bucketTarget(), await world.bucketTarget()];
    const left = [60_000, 10_000];
    const context = { getRemainingTimeInMillis: () => left.shift() ?? 0 };
    const records = [messageOf(one, 1, 'one'), messageOf(other, 1, 'other')];
    expect(await handle(records, context)).toEqual(['one', 'other']);
    expect(await world.described(other)).toBeUndefined();
    expect(held()).toEqual([2, 1]);
  });

  test('is repeated after its delay in a real queue, and deleted when it is done', async () => {
    const ref = await world.bucketTarget();
    await world.provision(ref);
    await queue.client.send(
      new SendMessageCommand({ QueueUrl: queue.url, MessageBody: JSON.stringify(ref) }),
    );
    const records = await queue.receive();
    expect(records).toHaveLength(1);
    world.faults.add({ service: 'firehose', fault: 'throttle', times: 1 });
    expect(await handle(records)).toEqual(records.map(({ messageId }) => messageId));
    expect(await queue.receive()).toEqual([]);
    expect(await handle(records)).toEqual([]);
  });
});

describe('a failure', () => {
  test('is retried, with its reason in the record and, without words of AWS, in the log', async () => {
    const ref = await world.bucketTarget();
    world.failingArns.add(roleOf(ref));
    expect(await handle([messageOf(ref)])).toEqual(['message']);
    const { fault } = await world.target(ref);
    expect(fault?.code).toBe('Provisioning.RoleNotUsable');
    expect(warn.mock.calls).toEqual([
      ['provisioning', { ...ref, outcome: 'failed', actor: 'operator', code: 'Provisioning.RoleNotUsable' }],
    ]);
  });

  test('delays no other target', async () => {
    const [bad, good] = [await world.bucketTarget(), await world.bucketTarget()];
    await world.provision(good);
    world.failingArns.add(roleOf(bad));
    const records = [messageOf(bad, 1, 'bad'), messageOf(good, 1, 'good')];
    expect(await handle(records)).toEqual(['bad']);
  });

  test("keeps the message if it is of DynamoDB, without the error's message in the log", async () => {
    const ref = await world.bucketTarget();
    const handler = createHandler({
      ...world.deps,
      targets: Object.assign(Object.create(world.deps.targets) as typeof world.deps.targets, {
        load: async () => await Promise.reject(new Error('a message that quotes an item')),
      }),
      queue: new ProvisioningQueue(queue.client, queue.url),
    });
    const { batchItemFailures } = await handler({ Records: [messageOf(ref)] }, aMinute);
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'message' }]);
    expect(JSON.stringify(error.mock.calls)).toContain('"name":"Error"');
    expect(JSON.stringify(error.mock.calls)).not.toContain('quotes an item');
  });

  test('keeps the message even if SQS fails, too', async () => {
    queue.faults.add({ service: 'sqs', fault: 'unavailable' });
    expect(await handle([messageOf(await world.bucketTarget())])).toEqual(['message']);
    expect(warn).toHaveBeenCalledWith('not held', expect.anything());
  });

  test('is reported once if it lasts, and the message is done', async () => {
    const ref = await world.bucketTarget({ deliveryStreamName: 'omi-test-of-somebody-else' });
    expect(await handle([messageOf(ref)])).toEqual([]);
    expect((await world.target(ref)).fault?.code).toBe('Provisioning.ForeignDeliveryStream');
  });
});
