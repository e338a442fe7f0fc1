import { expect, test } from '@jest/globals';
import { assumptions } from '../../../tools/bench/cost/assumptions.ts';
import { webhook, webhookCalls, webhookWaits } from '../../../tools/bench/cost/webhook.ts';
import { WebhookWriter } from '../../../core/export/delivery/webhook-writer.ts';

const target = {
  tenantId: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01',
  category: 'public' as const,
  destination: { kind: 'webhook' as const, url: 'https://example.com/', lanes: 2 },
};

test.each([1, 10, 100, 1_000])('the calls of %i events are those that the service makes', async (count) => {
  let [calls, open, most] = [0, 0, 0];
  const writer = new WebhookWriter({
    call: async () => {
      calls += 1;
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return { status: 204, retryAfter: undefined };
    },
  });
  const modelled = webhookCalls(count);
  const { undelivered } = await writer.deliver(target, modelled, Date.now() + 60_000);
  expect(undelivered).toEqual([]);
  // A call of each lane at the same time.
  expect({ calls, most }).toEqual({ calls: modelled.length, most: Math.min(2, modelled.length) });
  expect(webhookWaits(modelled)).toBeGreaterThanOrEqual(calls / most);
});

test('more events in a batch cost less each, down to their bytes', () => {
  const costs = [1, 10, 100, 1_000].map((count) => webhook(count, assumptions));
  const seconds = costs.map(({ lambdaGigabyteSeconds = 0 }) => lambdaGigabyteSeconds);
  expect(seconds).toEqual(seconds.toSorted((a, b) => b - a));
  for (const { transferBytes = 0 } of costs) expect(transferBytes).toBeGreaterThan(585);
});
