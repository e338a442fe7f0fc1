import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TargetReadiness } from '../../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import {
  readVerificationRequest,
  VerificationQueue,
} from '../../../core/export/verification/verification-queue.ts';
import {
  categories,
  describeTarget,
  type Category,
  type TargetRef,
} from '../../../core/events/target-ref.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { createHandler } from '../../../lambdas/schedule-verifications/handler.ts';
import { testDatabase } from '../../support/dynamodb.ts';
import { LocalQueue } from '../../support/local-queue.ts';
import { bucketOf, streamDestination } from '../../support/provisioning-world.ts';

let database: DynamoDBDocumentClient;
let queue: LocalQueue;
let targets: TargetStore;
const info = jest.spyOn(logger, 'info').mockReturnValue();

beforeAll(async () => {
  queue = await LocalQueue.start();
});
beforeEach(async () => {
  database = await testDatabase({ tenants: 'tenants' });
  targets = new TargetStore(database, 'tenants');
  queue.reset();
  info.mockClear();
});
afterAll(async () => await queue.close());

const schedule = async (): Promise<void> =>
  await createHandler({
    targets,
    queue: new VerificationQueue(queue.client, queue.url),
  })();

const requested = () =>
  queue
    .entries('SendMessageBatch')
    .map(({ MessageBody }) => readVerificationRequest(String(MessageBody)))
    .map((request) => (request ? describeTarget(request) : 'unreadable'));

const register = async (category: Category): Promise<TargetRef> => {
  const ref = { tenantId: randomUUID(), category };
  await targets.register(ref, category === 'log' ? bucketOf(ref) : streamDestination, 1);
  return ref;
};

const some = async (count: number): Promise<string[]> => {
  const refs = await Promise.all(
    Array.from({ length: count }, async (_, n) => await register(categories[n % 2] ?? 'log')),
  );
  return refs.map(describeTarget).toSorted();
};

describe('the daily run', () => {
  test('tests each target with a destination, whatever its state, and nothing else in the table', async () => {
    const expected = await some(12);
    const [first] = [...(await targets.load([await register('public')])).targets.values()];
    if (!first) throw new Error('There is no such target');
    await new TargetReadiness(database, 'tenants').verified(first, 2);
    await targets.register(await register('log'), { kind: 'none' }, 3);
    const Item = { pk: `tenant#${randomUUID()}`, sk: 'profile', name: 'Example' };
    await database.send(new PutCommand({ TableName: 'tenants', Item }));
    await schedule();
    expect(requested().toSorted()).toEqual([...expected, describeTarget(first)].toSorted());
    expect(info.mock.calls).toEqual([['scheduled', { scheduled: 13, failed: 0 }]]);
  });

  test('spreads the tests over a quarter of an hour, each at its own time', async () => {
    await some(60);
    await schedule();
    const delays = () => queue.entries('SendMessageBatch').map(({ DelaySeconds }) => Number(DelaySeconds));
    const first = delays();
    for (const delay of first) expect(Number.isInteger(delay) && delay >= 0 && delay <= 900).toBe(true);
    expect(new Set(first.map((delay) => Math.floor(delay / 301))).size).toBe(3);
    queue.reset();
    await schedule();
    expect(delays().toSorted((a, b) => a - b)).toEqual(first.toSorted((a, b) => a - b));
  });

  test('reads every page of the table', async () => {
    // A page ends with a megabyte.
    const filler = 'x'.repeat(300_000);
    const pad = async () => {
      const Item = { pk: `tenant#${randomUUID()}`, sk: 'profile', filler };
      await database.send(new PutCommand({ TableName: 'tenants', Item }));
    };
    const expected = await some(5);
    await Promise.all(Array.from({ length: 12 }, pad));
    await schedule();
    expect(requested().toSorted()).toEqual(expected);
  });
});

describe('an interrupted run', () => {
  test('fails, so that it is repeated, and keeps the targets of the other batches', async () => {
    const expected = await some(25);
    queue.faults.add({ service: 'sqs', operation: 'SendMessageBatch', fault: 'partial', ratio: 1, times: 1 });
    await expect(schedule()).rejects.toMatchObject({ name: 'NotAllScheduled' });
    expect(info.mock.calls).toEqual([['scheduled', { scheduled: 15, failed: 10 }]]);
    queue.reset();
    await schedule();
    expect(requested().toSorted()).toEqual(expected);
  });

  test('fails also when SQS accepts a batch in part', async () => {
    await some(4);
    queue.faults.add({
      service: 'sqs',
      operation: 'SendMessageBatch',
      fault: 'partial',
      ratio: 0.5,
      times: 1,
    });
    await expect(schedule()).rejects.toMatchObject({ name: 'NotAllScheduled' });
  });
});
