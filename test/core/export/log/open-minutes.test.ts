import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { minuteOf } from '../../../../core/export/log/minute.ts';
import { minutes, seconds } from '../../../../core/kernel/time.ts';
import { metricLines } from '../../../support/metric-lines.ts';

const { LogWorld } = await import('../../../support/log-world.ts');
type World = Awaited<ReturnType<typeof LogWorld.start>>;

const lines = metricLines();
const start = Date.UTC(2026, 2, 1, 9);

let world: World;
/** A tenant for each test would see the marks of the others. */
beforeEach(async () => {
  world = await LogWorld.start();
});

const ages = (): unknown[] =>
  lines.flatMap((line) => ('OpenMinuteAge' in line ? [line['OpenMinuteAge']] : []));

describe('a minute that stays open', () => {
  test('is measured from five minutes after its end, until it is closed', async () => {
    const dies = async (): Promise<never> => await Promise.reject(new Error('killed'));
    const failing = { ...world.deps, logs: { ...world.deps.logs, minutes: dies, close: dies } };
    await world.accept([world.event()], start);
    const end = start + minutes;
    await world.accept([world.event()], start + 4 * minutes);
    for (const after of [20 * seconds, 5 * minutes, 5 * minutes + 1, 20 * minutes])
      await expect(world.close(end + after, failing)).rejects.toThrow('not closed');
    expect(ages()).toEqual([5 * minutes + 1, 20 * minutes]);
    await world.close(end + 21 * minutes);
    expect(ages()).toHaveLength(2);
  });

  test('is measured if there was no time to close it', async () => {
    await world.accept([world.event()], start);
    const { closeMinutes } = await import('../../../../core/export/log/close-minutes.ts');
    await closeMinutes(world.deps, start + 16 * minutes, Date.now());
    expect(ages()).toEqual([15 * minutes]);
  });

  test('is not measured if it was marked late and closed at once', async () => {
    await world.accept([world.event()], start, start + 20 * minutes);
    await world.close(start + 20 * minutes);
    expect(await world.closed()).toHaveLength(1);
    expect(ages()).toEqual([]);
  });
});

test('marks of many tenants are in several partitions, and all of them are found', async () => {
  const minute = minuteOf(start);
  const busy = Array.from({ length: 64 }, () => {
    return { ref: { tenantId: randomUUID(), category: 'public' as const }, minute };
  });
  await world.busy.mark(busy, start);
  const found = (await world.busy.upTo(minute)).map(({ ref }) => ref.tenantId);
  expect(found.toSorted()).toEqual(busy.map(({ ref }) => ref.tenantId).toSorted());
  const { Items = [] } = await world.client.send(new ScanCommand({ TableName: 'log' }));
  expect(new Set(Items.map(({ pk }) => String(pk))).size).toBeGreaterThan(4);
});
