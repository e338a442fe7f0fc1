import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createHandler } from '../../../lambdas/redeliver-events/handler.ts';
import { ExportWorld, series } from '../../support/export-world.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

test('delivered messages are done, and the others stay', async () => {
  const [bad, good] = [await world.streamTarget(), await world.streamTarget()];
  for (const { name } of [bad, good])
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name, times: 1 });
  await world.export(...[bad, good].map(({ ref }) => world.records(ref, series('a', 1, 2))));
  world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: bad.name });

  const Records = await world.receive();
  const left = Records.filter(({ attributes }) => attributes.MessageGroupId?.startsWith(bad.ref.tenantId));
  expect(Records).toHaveLength(2);
  expect(await createHandler(world.deps)({ Records })).toEqual({
    batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })),
  });
  expect(await world.consumed(good.name)).toEqual(series('a', 1, 2));
});
