import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { EventRateStore } from '../../../core/events/event-rate-store.ts';
import { testDatabase } from '../../support/dynamodb.ts';

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await testDatabase({ ledger: 'ledger' });
});

const now = Date.UTC(2026, 0, 1);
const counting = (tenantId: string = randomUUID()) => {
  const store = new EventRateStore(client, 'ledger');
  return async (events: number, at = now) => {
    try {
      await store.count(tenantId, { events, limit: 1_000 }, at);
      return 'counted';
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many-requests', options: { retryAfter: 1 } });
      return 'refused';
    }
  };
};

test('a second has room for exactly the limit, and a call that does not fit takes none of it', async () => {
  const count = counting();
  expect(await count(950)).toBe('counted');
  expect(await count(51)).toBe('refused');
  expect(await count(50, now + 999)).toBe('counted');
  expect(await count(1, now + 999)).toBe('refused');
  expect(await count(1_000, now + 1_000)).toBe('counted');
});

test('parallel calls share the second, and tenants do not', async () => {
  const count = counting();
  const answers = await Promise.all(Array.from({ length: 30 }, async () => await count(100)));
  expect(answers.filter((answer) => answer === 'counted')).toHaveLength(10);
  expect(await counting()(1_000)).toBe('counted');
});
