import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { queues } from '../../../core/aws/queues.ts';
import { needsTest } from '../../../core/export/targets/test-schedule.ts';
import { receivesOfAMessage } from '../../../core/export/verification/test-record.ts';
import { VerificationQueue } from '../../../core/export/verification/verification-queue.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { createHandler } from '../../../lambdas/verify-target/handler.ts';
import { LocalQueue } from '../../support/local-queue.ts';
import { VerificationWorld } from '../../support/verification-world.ts';

let world: VerificationWorld;
let queue: LocalQueue;
const info = jest.spyOn(logger, 'info').mockReturnValue();
const warn = jest.spyOn(logger, 'warn').mockReturnValue();
const error = jest.spyOn(logger, 'error').mockReturnValue();

beforeAll(async () => {
  world = await VerificationWorld.start();
  queue = await LocalQueue.start();
});
beforeEach(() => {
  queue.reset();
  for (const log of [info, warn, error]) log.mockClear();
});
afterEach(() => world.faults.clear());
afterAll(async () => {
  await queue.close();
  await world.close();
});

const handle = async (Records: SQSRecord[]): Promise<string[]> => {
  const deps = { ...world.deps, queue: new VerificationQueue(queue.client, queue.url) };
  const { batchItemFailures } = await createHandler(deps)({ Records });
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
};

const recordOf = (body: unknown, messageId = 'message', receives = 1): SQSRecord =>
  ({
    messageId,
    receiptHandle: `receipt of ${messageId}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(Date.now()) },
  }) as SQSRecord;

/** In how many seconds the messages come again. */
const held = () =>
  queue.entries('ChangeMessageVisibilityBatch').map(({ VisibilityTimeout }) => Number(VisibilityTimeout));

describe('a message', () => {
  test('causes the test of its target, and is done', async () => {
    const { ref } = await world.streamTarget();
    expect(await handle([recordOf(ref)])).toEqual([]);
    expect((await world.target(ref)).state).toBe('active');
    expect(info.mock.calls).toEqual([['verification', { ...ref, outcome: 'verified' }]]);
  });

  test('carries the proof of ownership of the bucket, which no log contains', async () => {
    const { ref } = await world.bucketTarget();
    expect(await handle([recordOf(ref)])).toEqual([]);
    expect(warn.mock.calls).toEqual([
      [
        'verification',
        { ...ref, outcome: 'failed', actor: 'tenant', code: 'Verification.OwnershipUnproven' },
      ],
    ]);
    const proof = await world.challengeOf(ref);
    for (const text of ['guess-of-somebody', proof])
      expect(await handle([recordOf({ ...ref, proof: text })])).toEqual([]);
    expect((await world.target(ref)).state).toBe('active');
    const told = JSON.stringify([info, warn, error].map(({ mock }) => mock.calls));
    expect(told).not.toContain('guess-of-somebody');
    expect(told).not.toContain(proof.trim());
  });

  test('is repeated while the tenant must correct something, until the test passes', async () => {
    const { ref, destination } = await world.streamTarget();
    world.exports.cloud.roles.remove(destination.roleArn);
    expect(await handle([recordOf(ref)])).toEqual(['message']);
    expect((await world.target(ref)).fault?.actor).toBe('tenant');
    expect(await handle([recordOf(ref, 'message', 2)])).toEqual(['message']);
    expect(held()).toEqual([60, 300]);
    world.putRole(destination);
    expect(await handle([recordOf(ref, 'message', 3)])).toEqual([]);
    expect((await world.target(ref)).state).toBe('active');
  });

  test('is done when it was received too often, before it becomes a dead letter', async () => {
    const { ref, destination } = await world.streamTarget();
    world.exports.cloud.roles.remove(destination.roleArn);
    expect(receivesOfAMessage).toBeLessThan(queues.verifications.maxReceiveCount);
    expect(await handle([recordOf(ref, 'message', receivesOfAMessage)])).toEqual([]);
    // If events wait, their redelivery asks for the next test.
    const target = await world.target(ref);
    expect(needsTest(target, Date.now())).toBe(false);
    expect(needsTest(target, Date.now() + 31_000)).toBe(true);
  });

  test('is repeated when planned, although another message of its batch took longer', async () => {
    const [broken, slow] = [await world.streamTarget(), await world.streamTarget()];
    world.exports.cloud.roles.remove(broken.destination.roleArn);
    world.faults.add({ service: 'kinesis', fault: 'slow', resource: slow.name, delayMs: 1_500 });
    expect(await handle([recordOf(broken.ref), recordOf(slow.ref, 'slow')])).toEqual(['message']);
    expect(held()[0]).toBeLessThan(60);
  });

  test('is done if its target is missing', async () => {
    expect(await handle([recordOf({ tenantId: randomUUID(), category: 'log' })])).toEqual([]);
  });

  test('is repeated at growing intervals when the test cannot be made yet', async () => {
    const { ref } = await world.streamTarget();
    world.faults.add({ service: 'sts', fault: 'throttle' });
    const receives = [1, 5, 10, 300];
    const records = receives.map((count) => recordOf(ref, `received ${count}`, count));
    expect(await handle(records)).toEqual(records.map(({ messageId }) => messageId));
    expect(held()).toEqual([2, 32, 300, 300]);
    expect(await world.target(ref)).not.toHaveProperty('fault');
  });

  test('is repeated after its delay in a real queue, and deleted when it is done', async () => {
    const { ref } = await world.streamTarget();
    await queue.client.send(
      new SendMessageCommand({ QueueUrl: queue.url, MessageBody: JSON.stringify(ref) }),
    );
    const records = await queue.receive();
    expect(records).toHaveLength(1);
    world.faults.add({ service: 'sts', fault: 'unavailable', times: 1 });
    expect(await handle(records)).toEqual(records.map(({ messageId }) => messageId));
    expect(await queue.receive()).toEqual([]);
    expect(await handle(records)).toEqual([]);
  });

  test.each([['invalid JSON'], ['{"tenantId":"?","category":"log"}'], [`{"tenantId":"${randomUUID()}"}`]])(
    'stays visible if its sender is unknown, and delays no other (%s)',
    async (stray) => {
      const { ref } = await world.streamTarget();
      expect(await handle([recordOf(stray, 'stray'), recordOf(ref)])).toEqual(['stray']);
      expect(error.mock.calls).toEqual([['unreadable', { messageId: 'stray' }]]);
      expect((await world.target(ref)).state).toBe('active');
    },
  );
});

describe('a failure', () => {
  test("keeps the message if it is of DynamoDB, without the error's message in the log", async () => {
    const { ref } = await world.streamTarget();
    const targets = { find: async () => await Promise.reject(new Error('a message that quotes an item')) };
    const deps = { ...world.deps, targets, queue: new VerificationQueue(queue.client, queue.url) };
    const { batchItemFailures } = await createHandler(deps)({ Records: [recordOf(ref)] });
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'message' }]);
    expect(JSON.stringify(error.mock.calls)).toContain('"name":"Error"');
    expect(JSON.stringify(error.mock.calls)).not.toContain('quotes an item');
  });

  test('keeps the message even if SQS fails, too', async () => {
    const { ref } = await world.streamTarget();
    world.faults.add({ service: 'sts', fault: 'throttle' });
    queue.faults.add({ service: 'sqs', fault: 'unavailable' });
    expect(await handle([recordOf(ref)])).toEqual(['message']);
    expect(warn).toHaveBeenCalledWith('not held', expect.anything());
  });
});
