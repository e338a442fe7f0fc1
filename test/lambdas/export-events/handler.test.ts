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

test('a batch whose events were delivered or parked is done', async () => {
  const { ref, name } = await world.streamTarget();
  expect(await call(world.records(ref, series('a', 1, 3)))).toEqual({ batchItemFailures: [] });
  world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
  expect(await call(world.records(ref, series('a', 4, 3)))).toEqual({ batchItemFailures: [] });
});

test('a batch of which events could not be parked comes again from the first of them on', async () => {
  const { ref, name } = await world.streamTarget();
  world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
  world.cloud.faults.add({ service: 'dynamodb', fault: 'unavailable', operation: 'UpdateItem' });
  const records = world.records(ref, series('a', 1, 3));
  expect(await call(records)).toEqual({
    batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber }],
  });
});

test('a batch whose targets cannot be read comes again', async () => {
  const { ref } = await world.streamTarget();
  world.cloud.faults.add({ service: 'dynamodb', fault: 'unavailable', operation: 'BatchGetItem' });
  await expect(call(world.records(ref, series('a', 1, 3)))).rejects.toThrow();
});
