import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LaneWatermarks } from '../../../../core/export/delivery/lane-watermark-store.ts';
import { TargetStore } from '../../../../core/export/targets/target-store.ts';
import { isDrained, isWaiting, type Target } from '../../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { testDatabase } from '../../../support/dynamodb.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const stream = {
  kind: 'stream' as const,
  streamArn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/events',
  roleArn: 'arn:aws:iam::123456789012:role/omi-events',
  externalId: 'Xk3-9q.7a_2=mm,41',
  lanes: 2,
};

let client: DynamoDBDocumentClient;
let targets: TargetStore;
let watermarks: LaneWatermarks;
let ref: TargetRef;

beforeAll(async () => {
  client = await testDatabase({ tenants: 'tenants' });
  targets = new TargetStore(client, 'tenants');
  watermarks = new LaneWatermarks(client, 'tenants');
});

beforeEach(async () => {
  ref = { tenantId: randomUUID(), category: 'public' };
  await targets.register(ref, stream, 0);
});

async function current(): Promise<Target> {
  const target = await targets.find(ref);
  if (!target) throw new Error('The target is gone');
  return target;
}

const position = (number: number): string => String(number).padStart(4, '0');

const nothing = { accepted: 0, delivered: 0, parked: 0 };

/** Of the target as it is, or as somebody saw it before. */
async function park(
  positions: Record<string, string>,
  { events = 1, since = 1, seen = undefined as Target | undefined } = {},
) {
  const counts = { ...nothing, parked: events };
  await watermarks.parked(seen ?? (await current()), {
    positions: new Map(Object.entries(positions)),
    counts,
    since,
  });
}

async function drain(
  lane: string,
  position: string,
  { events = 1, parkedAt = 1, seen = undefined as Target | undefined } = {},
) {
  const counts = { ...nothing, parked: -events };
  return await watermarks.drained(seen ?? (await current()), {
    watermark: [lane, position],
    counts,
    parkedAt,
  });
}

describe('watermarks in the parking queue', () => {
  test('show in which lanes events wait', async () => {
    await park({ '0/2': position(5) }, { events: 3 });
    expect(isWaiting(await current(), '0/2')).toBe(true);
    expect(isWaiting(await current(), '1/2')).toBe(false);
    expect((await current()).parkedCount).toBe(3);

    await drain('0/2', position(4), { events: 2 });
    expect(isWaiting(await current(), '0/2')).toBe(true);
    const target = await drain('0/2', position(5));
    expect(target && isDrained(target)).toBe(true);
    expect(target?.parkedCount).toBe(0);
  });

  test('only rise, in whatever order and however often they are written', async () => {
    const write = fc.record({
      kind: fc.constantFrom('parked' as const, 'drained' as const),
      lane: fc.constantFrom('0/2', '1/2'),
      at: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (writes) => {
        ref = { tenantId: randomUUID(), category: 'log' };
        await targets.register(ref, stream, 0);
        await Promise.all(
          writes.map(async ({ kind, lane, at }) => {
            if (kind === 'parked') await park({ [lane]: position(at) });
            else await drain(lane, position(at));
          }),
        );
        const target = await current();
        for (const lane of ['0/2', '1/2'])
          for (const kind of ['parked', 'drained'] as const) {
            const highest = writes
              .filter((one) => one.kind === kind && one.lane === lane)
              .map(({ at }) => at);
            const expected = highest.length > 0 ? position(Math.max(...highest)) : undefined;
            expect(target[`${kind}Through`][lane]).toBe(expected);
          }
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  test('rise independently for several lanes', async () => {
    await park({ '0/2': position(9) });
    await park({ '0/2': position(5), '1/2': position(6) }, { events: 2 });
    expect((await current()).parkedThrough).toEqual({ '0/2': position(9), '1/2': position(6) });
    expect((await current()).parkedCount).toBe(3);
  });

  test('are not written for a deleted target', async () => {
    const gone: Target = { ...(await current()), tenantId: randomUUID() };
    await park({ '0/2': position(1) }, { seen: gone });
    expect(await drain('0/2', position(1), { seen: gone })).toBeUndefined();
    await watermarks.counted(gone, nothing);
    expect(await targets.find(gone)).toBeUndefined();
  });
});

describe('the waiting time of a lane', () => {
  const since = async () => (await current()).waitingSince;

  test('counts from when the lane began to wait, whatever is parked behind', async () => {
    await park({ '0/2': position(1), '1/2': position(2) }, { since: 100 });
    await park({ '0/2': position(3) }, { since: 200 });
    expect(await since()).toEqual({ '0/2': 100, '1/2': 100 });
  });

  test('advances with deliveries, and ends when nothing waits', async () => {
    await park({ '0/2': position(1) }, { since: 100 });
    await park({ '0/2': position(2) }, { since: 200 });
    await drain('0/2', position(1), { parkedAt: 150 });
    expect(await since()).toEqual({ '0/2': 150 });
    await drain('0/2', position(2), { parkedAt: 250 });
    expect(await since()).toEqual({});
  });

  test('continues when something was parked behind what was thought to be the last', async () => {
    await park({ '0/2': position(1) }, { since: 100 });
    const seen = await current();
    await park({ '0/2': position(2) }, { since: 200 });
    const target = await drain('0/2', position(1), { parkedAt: 150, seen });
    expect(target?.drainedThrough).toEqual({ '0/2': position(1) });
    expect(target?.parkedCount).toBe(1);
    expect(await since()).toEqual({ '0/2': 150 });
  });

  test('starts again when a late writer left an old time behind', async () => {
    await drain('0/2', position(5));
    await park({ '0/2': position(4) }, { since: 100 });
    expect(isWaiting(await current(), '0/2')).toBe(false);
    await park({ '0/2': position(6) }, { since: 900 });
    expect(await since()).toEqual({ '0/2': 900 });
  });
});

test('counts add up, whoever writes them', async () => {
  await watermarks.counted(ref, { accepted: 5, delivered: 5, parked: 0 });
  const positions = new Map([['0/2', position(1)]]);
  const counts = { accepted: 4, delivered: 1, parked: 3 };
  await watermarks.parked(await current(), { positions, counts, since: 1 });
  await watermarks.drained(await current(), {
    watermark: ['0/2', position(1)],
    counts: { accepted: 0, delivered: 3, parked: -3 },
    parkedAt: 1,
  });
  expect(await current()).toMatchObject({ acceptedCount: 9, deliveredCount: 9, parkedCount: 0 });
});
