import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EndpointWorld } from '../../support/endpoint-world.ts';
import { metricLines } from '../../support/metric-lines.ts';

const lines = metricLines();
const { createHandler } = await import('../../../lambdas/release-endpoints/handler.ts');

let world: EndpointWorld;

beforeAll(async () => {
  world = await EndpointWorld.start();
});
afterAll(async () => await world.close());

const ages = () => lines.flatMap((line) => line['OldestReleasedEndpointAge'] ?? []);

test('a failure of SNS does not fail the Lambda, which measures its duration', async () => {
  const stuck = await world.enrol();
  const { releasedAt } = await world.removeAndDie(stuck);
  const later = await world.enrol();
  await world.removeAndDie(later);
  const faults = [world.refusing(stuck), world.refusing(later)];
  const before = Date.now();
  await createHandler(world)();
  expect(ages()).toEqual([expect.any(Number)]);
  expect(Number(ages()[0])).toBeGreaterThanOrEqual(before - releasedAt);
  for (const { id } of faults) world.sns.faults.remove(id);
});

test('nothing is measured without failures', async () => {
  await createHandler(world)();
  expect(ages()).toEqual([]);
  expect(await world.left()).toEqual([]);
});
