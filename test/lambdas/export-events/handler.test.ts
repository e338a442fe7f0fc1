import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { BusyMinute } from '../../../core/export/log/busy-minute-store.ts';
import { createHandler } from '../../../lambdas/export-events/handler.ts';
import { ExportWorld, series } from '../../support/export-world.ts';

/** The minutes that were marked as busy. */
let marked: BusyMinute[];
const busy = {
  mark: async (minutes: readonly BusyMinute[]) => await Promise.resolve(void marked.push(...minutes)),
};

let world: ExportWorld;
beforeEach(() => void (marked = []));
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

const call = async (Records: ReturnType<ExportWorld['records']>) =>
  await createHandler({ ...world.deps, busy })({ Records });

test('a batch is done when its events were delivered or parked', async () => {
  const { ref, name } = await world.streamTarget();
  expect(await call(world.records(ref, series('a', 1, 3)))).toEqual({ batchItemFailures: [] });
  world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
  expect(await call(world.records(ref, series('a', 4, 3)))).toEqual({ batchItemFailures: [] });
});

test('a batch is repeated from the first event that could not be parked', async () => {
  const { ref, name } = await world.streamTarget();
  world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
  world.cloud.faults.add({ service: 'dynamodb', fault: 'unavailable', operation: 'UpdateItem' });
  const records = world.records(ref, series('a', 1, 3));
  expect(await call(records)).toEqual({
    batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber }],
  });
});

test('a batch is repeated when its targets cannot be read', async () => {
  const { ref } = await world.streamTarget();
  world.cloud.faults.add({ service: 'dynamodb', fault: 'unavailable', operation: 'BatchGetItem' });
  await expect(call(world.records(ref, series('a', 1, 3)))).rejects.toThrow();
});

test('marks the minute of its events as busy before anything is delivered', async () => {
  const { ref, name } = await world.streamTarget();
  const records = world.records(ref, series('a', 1, 3));
  const acceptedAt = Date.UTC(2026, 2, 1, 8, 30, 59);
  for (const { dynamodb } of records)
    if (dynamodb?.NewImage) dynamodb.NewImage['sequence'] = { S: `${acceptedAt}-0a` };
  await call(records);
  expect(marked).toEqual([{ ref, minute: '2026-03-01T08:30:00Z' }]);
  const fails = { mark: async () => await Promise.reject(new Error('unavailable')) };
  const again = createHandler({ ...world.deps, busy: fails })({ Records: records });
  await expect(again).rejects.toThrow('unavailable');
  expect(await world.consumed(name)).toHaveLength(3);
});
