import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ExpiryQueue } from '../../../core/confirmations/expiry-queue.ts';
import { WaitingExpiryStore } from '../../../core/confirmations/waiting-expiry-store.ts';
import { sha256 } from '../../../core/kernel/identifiers.ts';
import { LocalQueue } from '../../support/local-queue.ts';
import { metricLines } from '../../support/metric-lines.ts';
import { PushWorld } from '../../support/push-world.ts';

const lines = metricLines();
const { logger } = await import('../../../core/kernel/observability.ts');
jest.spyOn(logger, 'info').mockReturnValue();
const { createHandler } = await import('../../../lambdas/queue-expiries/handler.ts');

let queue: LocalQueue;
beforeAll(async () => {
  queue = await LocalQueue.start();
});
afterAll(async () => await queue.close());

const lateness = () => lines.flatMap((line) => line['ExpiryLateness'] ?? []);

test('the schedule measures the delay of the oldest expiry that it queues, and nothing if there is none', async () => {
  const waiting = new WaitingExpiryStore(await PushWorld.database(), 'expiries');
  const handle = createHandler({ waiting, queue: new ExpiryQueue(queue.client, queue.url) });
  await handle();
  expect(lateness()).toEqual([]);

  const expiryIn = (milliseconds: number) => ({
    tenantId: 't',
    challengeId: sha256(String(milliseconds)),
    expiresAt: Date.now() + milliseconds,
  });
  await waiting.add([expiryIn(60_000)]);
  await handle();
  expect(lateness()).toEqual([0]);

  await waiting.add([expiryIn(-60_000), expiryIn(-30_000)]);
  await handle();
  expect(lateness()).toHaveLength(2);
  expect(Number(lateness()[1])).toBeGreaterThanOrEqual(60_000);
  expect(queue.entries('SendMessageBatch')).toHaveLength(3);
});
