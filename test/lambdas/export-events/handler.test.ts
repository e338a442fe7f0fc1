import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createHandler } from '../../../lambdas/export-events/handler.ts';
import { ExportWorld, series } from '../../support/export-world.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

const call = async (Records: ReturnType<ExportWorld['records']>) =>
  await createHandler(world.deps)({ Records });

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
