import { randomUUID } from 'node:crypto';
import { GetCommand, UpdateCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import {
  ProvisioningQueue,
  readProvisioningRequest,
} from '../../../core/export/kinds/bucket/provisioning/provisioning-queue.ts';
import { TargetReadiness } from '../../../core/export/targets/target-readiness-store.ts';
import { targetKey } from '../../../core/export/targets/target-item.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import { provisioningFault } from '../../../core/export/kinds/bucket/provisioning/provisioning-faults.ts';
import type { Destination } from '../../../core/export/kinds/records.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { filters } from '../../../lambdas/schedule-provisioning/filters.ts';
import { createHandler } from '../../../lambdas/schedule-provisioning/handler.ts';
import { passes } from '../../../tools/local/event-sources/filter.ts';
import { testDatabase } from '../../support/dynamodb.ts';
import { LocalQueue } from '../../support/local-queue.ts';
import { bucketOf, streamDestination } from '../../support/provisioning-world.ts';

let database: DynamoDBDocumentClient;
let queue: LocalQueue;
let targets: TargetStore;
let readiness: TargetReadiness;
let ref: TargetRef;
const info = jest.spyOn(logger, 'info').mockReturnValue();
const error = jest.spyOn(logger, 'error').mockReturnValue();

beforeAll(async () => {
  database = await testDatabase({ tenants: 'tenants' });
  queue = await LocalQueue.start();
  targets = new TargetStore(database, 'tenants');
  readiness = new TargetReadiness(database, 'tenants');
});
beforeEach(() => {
  queue.reset();
  info.mockClear();
  error.mockClear();
  ref = { tenantId: randomUUID(), category: 'log' };
});
afterAll(async () => await queue.close());

type Item = Record<string, unknown>;
const image = (item: Item): Record<string, AttributeValue> =>
  marshall(item) as Record<string, AttributeValue>;

/** As the stream tells of a change. */
const recordOf = (key: Item, before: Item | undefined, after: Item | undefined, n = 1): DynamoDBRecord => ({
  eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
  dynamodb: {
    SequenceNumber: String(n),
    Keys: image(key),
    ...(before && { OldImage: image(before) }),
    ...(after && { NewImage: image(after) }),
  },
});

const handle = async (Records: DynamoDBRecord[]): Promise<string[]> => {
  const handler = createHandler({ queue: new ProvisioningQueue(queue.client, queue.url) });
  const { batchItemFailures } = await handler({ Records });
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
};

const requested = () =>
  queue.entries('SendMessageBatch').map(({ MessageBody }) => readProvisioningRequest(String(MessageBody)));

const item = async (): Promise<Item | undefined> =>
  (await database.send(new GetCommand({ TableName: 'tenants', Key: targetKey(ref), ConsistentRead: true })))
    .Item;

/** The stream's record of what was done meanwhile. */
async function during(act: () => Promise<unknown>): Promise<DynamoDBRecord> {
  const before = await item();
  await act();
  return recordOf(targetKey(ref), before, await item());
}

/** How many steps a change brings, as the filter and the Lambda together decide. */
async function steps(act: () => Promise<unknown>): Promise<number> {
  queue.reset();
  const record = await during(act);
  if (passes(filters, record)) expect(await handle([record])).toEqual([]);
  return requested().length;
}

const register = async (destination: Destination, now = Date.now()) =>
  await targets.register(ref, destination, now);

async function target(): Promise<Target> {
  const found = await targets.find(ref);
  if (!found) throw new Error('There is no such target');
  return found;
}

describe('a change of a target', () => {
  test('requests a step for a new bucket', async () => {
    expect(await steps(async () => await register(bucketOf(ref)))).toBe(1);
    expect(requested()).toEqual([ref]);
  });

  test('requests a step for another bucket, and for the same one during validation', async () => {
    await register(bucketOf(ref), 1);
    expect(await steps(async () => await register(bucketOf(ref), 2))).toBe(1);
    await readiness.provisioned(await target(), 3);
    const other = bucketOf(ref, { bucket: 'another-bucket' });
    expect(await steps(async () => await register(other, 4))).toBe(1);
  });

  test('requests a step for the same bucket registered again, because its delivery stream may be gone', async () => {
    await register(bucketOf(ref), 1);
    await readiness.provisioned(await target(), 2);
    await readiness.verified(await target(), 3);
    expect(await steps(async () => await register(bucketOf(ref), 4))).toBe(1);
    expect((await target()).state).toBe('active');
  });

  test.each<[string, Destination]>([
    ['a stream', streamDestination],
    ['none', { kind: 'none' }],
  ])('requests a step for a bucket that becomes %s, and for the reverse', async (_, other) => {
    await register(bucketOf(ref), 1);
    expect(await steps(async () => await register(other, 2))).toBe(1);
    expect(await steps(async () => await register(bucketOf(ref), 3))).toBe(1);
  });

  test('requests a step for the removal of a bucket', async () => {
    await register(bucketOf(ref));
    const record = recordOf(targetKey(ref), await item(), undefined);
    expect(passes(filters, record)).toBe(true);
    expect(await handle([record])).toEqual([]);
    expect(requested()).toEqual([ref]);
  });

  test('requests a step for a bucket that is no longer provisioned', async () => {
    await register(bucketOf(ref));
    await readiness.provisioned(await target(), 3);
    const taken = async () =>
      await readiness.refused(await target(), provisioningFault('ForeignDeliveryStream'));
    expect(await steps(taken)).toBe(1);
    expect(await steps(taken)).toBe(0);
  });
});

describe('another change', () => {
  test('requests no step for what provisioning and validation write themselves', async () => {
    await register(bucketOf(ref));
    const writes = [
      async () => await readiness.notProvisioned(await target(), provisioningFault('NotNow')),
      async () => await readiness.notProvisioned(await target(), provisioningFault('RoleNotUsable')),
      async () => await readiness.provisioned(await target(), 3),
      async () => await readiness.verified(await target(), 4),
    ];
    for (const write of writes) expect(await steps(write)).toBe(0);
    expect((await target()).state).toBe('active');
  });

  test('requests no step for the counters of an export, during and after validation', async () => {
    await register(bucketOf(ref));
    const count = async () =>
      await database.send(
        new UpdateCommand({
          TableName: 'tenants',
          Key: targetKey(ref),
          UpdateExpression: 'ADD parkedCount :events',
          ExpressionAttributeValues: { ':events': 3 },
        }),
      );
    expect(await steps(count)).toBe(0);
    await readiness.provisioned(await target(), 3);
    const later = await during(count);
    // Those do not even reach the Lambda.
    expect(passes(filters, later)).toBe(false);
    expect(await handle([later])).toEqual([]);
    expect(requested()).toEqual([]);
  });

  test('requests no step for states and streams', async () => {
    await register(bucketOf(ref));
    await readiness.provisioned(await target(), 3);
    await readiness.verified(await target(), 4);
    expect(await steps(async () => await targets.transition(await target(), 'pause', 5))).toBe(0);
    ref = { tenantId: randomUUID(), category: 'public' };
    expect(await steps(async () => await register(streamDestination))).toBe(0);
    expect(await steps(async () => await register({ kind: 'none' }))).toBe(0);
  });

  test('requests no step for other items of the table', () => {
    const key = { pk: `tenant#${ref.tenantId}`, sk: 'profile' };
    expect(passes(filters, recordOf(key, undefined, { ...key, name: 'Example' }))).toBe(false);
    expect(passes(filters, recordOf(key, { ...key, name: 'Example' }, undefined))).toBe(false);
  });
});

describe('a batch', () => {
  const inserts = (count: number): DynamoDBRecord[] =>
    Array.from({ length: count }, (_, n) => {
      const one: TargetRef = { tenantId: randomUUID(), category: 'log' };
      return recordOf(targetKey(one), undefined, { destination: bucketOf(one) }, n);
    });

  test('is sent in calls of ten, each target once', async () => {
    const records = inserts(23);
    expect(await handle([...records, ...records])).toEqual([]);
    expect(requested()).toHaveLength(23);
    expect(info.mock.calls).toEqual([['requested', { requested: 23, failed: 0 }]]);
  });

  test('is repeated when SQS does not accept it', async () => {
    queue.faults.add({
      service: 'sqs',
      operation: 'SendMessageBatch',
      fault: 'partial',
      ratio: 0.5,
      times: 1,
    });
    expect((await handle(inserts(2))).toSorted()).toHaveLength(1);
    queue.faults.add({ service: 'sqs', fault: 'unavailable' });
    expect((await handle(inserts(12))).map(Number).toSorted((a, b) => a - b)).toEqual([...Array(12).keys()]);
    expect(error).toHaveBeenLastCalledWith('not requested', { requested: 0, failed: 12 });
  });

  test('is not delayed by an unreadable record', async () => {
    const stray = recordOf({ pk: '?', sk: '?' }, undefined, { destination: bucketOf(ref) }, 7);
    const [good] = inserts(1);
    expect(await handle(good ? [stray, good] : [])).toEqual([]);
    expect(requested()).toHaveLength(1);
    expect(error.mock.calls).toEqual([['unreadable', { sequenceNumber: '7' }]]);
  });
});
