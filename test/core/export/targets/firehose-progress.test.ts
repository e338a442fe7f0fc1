import { describe, expect, test } from '@jest/globals';
import {
  acceptedSince,
  countBefore,
  nextProgress,
  inBucketCount,
  lossByDeletion,
  lossOf,
  unwrittenCount,
  withLoss,
  writingTime,
} from '../../../../core/export/targets/firehose-progress.ts';
import type { GivenUp, Target } from '../../../../core/export/targets/target.ts';

type Tracked = Parameters<typeof nextProgress>[0];

const at = (changes: Partial<Target> = {}): Tracked => ({
  deliveredCount: 0,
  bufferSeconds: 100,
  parkedThrough: {},
  drainedThrough: {},
  waitingSince: {},
  ...changes,
});

const time = writingTime(at());

/** As the exporter would: ten events every so many milliseconds, from 0 on. */
function delivering(times: readonly number[], target = at()): Tracked {
  let current = target;
  for (const now of times)
    current = {
      ...current,
      firehoseProgress: nextProgress(current, now, now),
      deliveredCount: current.deliveredCount + 10,
    };
  return current;
}

const each = (milliseconds: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => index * milliseconds);

test('Firehose has its buffering time and a reserve to write', () => {
  const times = [5, 60, 900, undefined].map((bufferSeconds) =>
    writingTime(bufferSeconds === undefined ? {} : { bufferSeconds }),
  );
  expect(times).toEqual([10_000, 84_000, 1_020_000, 420_000]);
});

test('a delivery stream without events, or with all events written, has lost nothing', () => {
  expect(lossByDeletion(at(), 1_000)).toBeUndefined();
  expect(lossOf({ cause: 'expired', count: 0 }, { from: 0, to: 1 })).toBeUndefined();
});

describe('events that Firehose accepted', () => {
  test('are in the bucket when Firehose had time to write them', () => {
    const target = delivering([0]);
    expect(inBucketCount(target, 10, time - 1)).toBe(0);
    expect(inBucketCount(target, 10, time + 1)).toBe(10);
  });

  test('are known to be written to the minute, while others follow', () => {
    const target = delivering(each(1_000, 300));
    const now = 299_000;
    const written = inBucketCount(target, target.deliveredCount, now);
    const exact = Math.floor((now - time) / 1_000) * 10;
    expect(written).toBeLessThanOrEqual(exact);
    expect(written).toBeGreaterThan(exact - time / 100 / 2);
    expect(target.firehoseProgress?.checkpoints.length).toBeLessThan(6);
  });

  test('are never counted as written too early, whatever their rhythm', () => {
    for (const pause of [7, 333, 10_000, 45_000, 200_000]) {
      const times = each(pause, 40);
      const target = delivering(times);
      for (const now of [0, 5_000, 50_000, 130_000, 900_000].map((later) => later + (times.at(-1) ?? 0))) {
        const exact = times.filter((one) => one < now - time).length * 10;
        expect(countBefore(target, now - time)).toBeLessThanOrEqual(exact);
      }
    }
  });

  test('stay unwritten from the first error on', () => {
    const target = delivering([0]);
    const bucketTrouble = {
      ...{ actor: 'tenant' as const, code: 'x', reason: 'y', bucket: 'b', since: 1, lastErrorAt: 1 },
      ...{ writtenCount: 0, acceptedSince: 0 },
    };
    expect(unwrittenCount({ ...target, bucketTrouble }, 10 * time)).toBe(10);
    expect(inBucketCount({ ...target, bucketTrouble }, 10, 10 * time)).toBe(0);
  });

  test('are not in the bucket when they were lost', () => {
    const target = { ...delivering([0]), lostCount: 4 };
    expect(inBucketCount(target, 10, 2 * time)).toBe(6);
    expect(inBucketCount({ ...target, lostCount: 14 }, 10, 2 * time)).toBe(0);
  });

  test('stay in the bucket while a replay sends them again', () => {
    const delivered = delivering([0]);
    const now = 3 * time;
    const replaying = { ...delivered, firehoseProgress: nextProgress(delivered, 0, now), replayedCount: 8 };
    expect(unwrittenCount(replaying, now + 1)).toBe(8);
    expect(inBucketCount(replaying, 10, now + 1)).toBe(10);
    const both = { ...replaying, deliveredCount: 13 };
    expect(inBucketCount(both, 13, now + 1)).toBe(10);
  });

  test('are in the bucket when their record is older than this count', () => {
    expect(inBucketCount(at({ deliveredCount: 7 }), 7, 5)).toBe(7);
  });
});

describe('the time of acceptance of events that Firehose still holds', () => {
  test('is that of the oldest event after the last one known to be written', () => {
    const target = delivering(each(40_000, 6));
    const written = countBefore(target, 100_000);
    expect(acceptedSince(target, written, 300_000)).toBeLessThanOrEqual(written * 4_000);
    expect(acceptedSince(target, 0, 300_000)).toBeLessThanOrEqual(acceptedSince(target, written, 300_000));
  });

  test('includes events that waited, and replayed ones', () => {
    const waiting = { parkedThrough: { '0/1': '2' }, drainedThrough: {}, waitingSince: { '0/1': 500 } };
    expect(nextProgress(at(waiting), 9_000, 10_000).checkpoints[0]?.since).toBe(500);
    const replaying = { parkedThrough: { '0/1/replay': '2' }, waitingSince: { '0/1/replay': 9_000 } };
    expect(nextProgress(at({ ...replaying, replayFrom: 70 }), 9_000, 10_000).checkpoints[0]?.since).toBe(70);
    const before = delivering([10_000]);
    expect(nextProgress(before, 300, 10_001).checkpoints[0]?.since).toBe(300);
  });
});

test('the record stays small while Firehose cannot write', () => {
  const bucketTrouble = {
    ...{ actor: 'tenant' as const, code: 'x', reason: 'y', bucket: 'b', since: 1, lastErrorAt: 1 },
    ...{ writtenCount: 0, acceptedSince: 0 },
  };
  const target = delivering(each(60_000, 1_440), at({ bucketTrouble }));
  expect(target.firehoseProgress?.checkpoints.length).toBe(12);
  expect(unwrittenCount(target, 1_440 * 60_000)).toBe(14_400);
});

describe('the losses in a record', () => {
  const loss = (n: number, more: Partial<GivenUp> = {}): GivenUp => ({
    ...{ cause: 'errors', from: n * 10, to: n * 10 + 5, events: 1 },
    ...more,
  });
  const after = (losses: GivenUp[]) =>
    withLoss({ givenUp: losses, lostCount: 10 }, { given: loss(99), count: 1 });

  test('lose those that were dismissed first', () => {
    const losses = Array.from({ length: 10 }, (_, n) => loss(n, n === 4 ? { dismissedAt: 1 } : {}));
    const { givenUp = [], lostCount } = after(losses);
    expect(givenUp).toHaveLength(10);
    expect(givenUp).toEqual([...losses.filter((_, n) => n !== 4), loss(99)]);
    expect(lostCount).toBe(11);
  });

  test('are put together if all wait for somebody, so that none is forgotten', () => {
    const losses = Array.from({ length: 10 }, (_, n) => loss(n));
    const { givenUp = [] } = after(losses);
    expect(givenUp).toHaveLength(10);
    expect(givenUp[0]).toEqual({ cause: 'errors', from: 0, to: 15, events: 2 });
    const unknown = after([loss(0, { events: undefined }), ...losses.slice(1)]).givenUp?.[0];
    expect(unknown).toEqual({ cause: 'errors', from: 0, to: 15 });
  });
});
