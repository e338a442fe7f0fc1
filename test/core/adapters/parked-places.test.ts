import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ParkedPlaces } from '../../../core/adapters/parked-places.ts';
import { TargetStore } from '../../../core/adapters/target-store.ts';
import { isDrained, isWaiting, type Target, type TargetRef } from '../../../core/domain/target.ts';
import { testDatabase } from '../../support/dynamodb.ts';

const stream = {
  kind: 'stream' as const,
  streamArn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/events',
  roleArn: 'arn:aws:iam::123456789012:role/omi-events',
  externalId: 'Xk3-9q.7a_2=mm,41',
  lanes: 2,
};

let targets: TargetStore;
let places: ParkedPlaces;
let ref: TargetRef;

beforeAll(async () => {
  const client = await testDatabase({ tenants: 'tenants' });
  targets = new TargetStore(client, 'tenants');
  places = new ParkedPlaces(client, 'tenants');
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

const place = (number: number): string => String(number).padStart(4, '0');

describe('places in the parking queue', () => {
  test('tell in which lanes something waits', async () => {
    await places.parked(ref, new Map([['0/2', place(5)]]), 3);
    expect(isWaiting(await current(), '0/2')).toBe(true);
    expect(isWaiting(await current(), '1/2')).toBe(false);
    expect((await current()).parkedCount).toBe(3);

    await places.drained(ref, ['0/2', place(4)], 2);
    expect(isWaiting(await current(), '0/2')).toBe(true);
    const target = await places.drained(ref, ['0/2', place(5)], 1);
    expect(target && isDrained(target)).toBe(true);
    expect(target?.parkedCount).toBe(0);
  });

  test('rise whatever the order in which they are written, and however often', async () => {
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
            if (kind === 'parked') await places.parked(ref, new Map([[lane, place(at)]]), 1);
            else await places.drained(ref, [lane, place(at)], 1);
          }),
        );
        const target = await current();
        for (const lane of ['0/2', '1/2'])
          for (const kind of ['parked', 'drained'] as const) {
            const highest = writes
              .filter((one) => one.kind === kind && one.lane === lane)
              .map(({ at }) => at);
            const expected = highest.length > 0 ? place(Math.max(...highest)) : undefined;
            expect(target[`${kind}Through`][lane]).toBe(expected);
          }
      }),
      { numRuns: 25 },
    );
  });

  test('of several lanes rise each by itself', async () => {
    await places.parked(ref, new Map([['0/2', place(9)]]), 1);
    await places.parked(
      ref,
      new Map([
        ['0/2', place(5)],
        ['1/2', place(6)],
      ]),
      2,
    );
    expect((await current()).parkedThrough).toEqual({ '0/2': place(9), '1/2': place(6) });
    expect((await current()).parkedCount).toBe(3);
  });

  test('are not written for a target that is gone', async () => {
    const gone: TargetRef = { tenantId: randomUUID(), category: 'log' };
    await places.parked(gone, new Map([['0/2', place(1)]]), 1);
    expect(await places.drained(gone, ['0/2', place(1)], 1)).toBeUndefined();
    expect(await targets.find(gone)).toBeUndefined();
  });
});
