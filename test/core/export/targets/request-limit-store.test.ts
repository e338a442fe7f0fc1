import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { RequestLimitStore, requestLimits } from '../../../../core/export/targets/request-limit-store.ts';
import { testDatabase } from '../../../support/dynamodb.ts';

const hourMs = 3_600_000;
const now = 1_700_000_000_000;

let client: DynamoDBDocumentClient;
let limits: RequestLimitStore;
let ref: TargetRef;

beforeAll(async () => {
  client = await testDatabase({ tenants: 'tenants' });
  limits = new RequestLimitStore(client, 'tenants');
});
beforeEach(() => {
  ref = { tenantId: randomUUID(), category: 'public' };
});

const fill = async (of = ref, from = now): Promise<void> => {
  for (let one = 0; one < requestLimits.tests; one += 1) await limits.count(of, 'tests', from + one * 1_000);
};

describe('the limit of requests in any hour', () => {
  test('is 10 tests and replays of an export, and 60 verifications of a stream', () => {
    expect(requestLimits).toEqual({ tests: 10, replays: 10, sends: 60, verifications: 60 });
  });

  test('refuses the next request, and states when the next one is possible', async () => {
    await fill();
    await expect(limits.count(ref, 'tests', now + 60_500)).rejects.toMatchObject({
      code: 'too-many-requests',
      options: { retryAfter: 3_540 },
    });
    await expect(limits.count(ref, 'tests', now + hourMs - 1)).rejects.toMatchObject({
      options: { retryAfter: 1 },
    });
    await limits.count(ref, 'tests', now + hourMs);
    await expect(limits.count(ref, 'tests', now + hourMs)).rejects.toMatchObject({
      options: { retryAfter: 1 },
    });
  });

  test('applies separately to each tenant, category and kind of request', async () => {
    await fill();
    await limits.count({ ...ref, category: 'log' }, 'tests', now);
    await limits.count({ ...ref, tenantId: randomUUID() }, 'tests', now);
    await limits.count(ref, 'replays', now);
  });

  test('remembers only the requests of the last hour', async () => {
    await fill();
    await limits.count(ref, 'tests', now + hourMs + 8_000);
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'tenants' }));
    expect(Items.find(({ pk }) => String(pk).includes(ref.tenantId))).toMatchObject({
      tests: [now + 9_000, now + hourMs + 8_000],
    });
  });

  test('holds for concurrent requests', async () => {
    const asked = Array.from({ length: 2 * requestLimits.replays }, async () => {
      for (;;)
        try {
          await limits.count(ref, 'replays', now);
          return 'counted';
        } catch (error) {
          const { name, code } = error as { name: string; code?: string };
          if (name !== 'ConflictError') return code;
        }
    });
    const answers = await Promise.all(asked);
    expect(answers.filter((one) => one === 'counted')).toHaveLength(requestLimits.replays);
    expect(answers.filter((one) => one === 'too-many-requests')).toHaveLength(requestLimits.replays);
  });
});
