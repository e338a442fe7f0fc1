import { expect, test } from '@jest/globals';
import { askedTimes, withAskedTime } from '../../../core/devices/asked-times.ts';
import { hours } from '../../../core/kernel/time.ts';

const now = Date.parse('2026-03-02T10:00:00.000Z');

test('times are kept to the millisecond, oldest first', () => {
  const bytes = [now - 1, now, now + 7].reduce<Uint8Array | undefined>(withAskedTime, undefined);
  expect(askedTimes(bytes)).toEqual([now - 1, now, now + 7]);
  expect(bytes).toHaveLength(18);
  expect(askedTimes(undefined)).toEqual([]);
});

test('a time is dropped after 14 days, when its events are', () => {
  const old = withAskedTime(withAskedTime(undefined, now - 14 * 24 * hours), now - 14 * 24 * hours + 1);
  expect(askedTimes(withAskedTime(old, now))).toEqual([now - 14 * 24 * hours + 1, now]);
});

test('a record has at most 280 times, which take less than two write units', () => {
  let bytes: Uint8Array | undefined;
  for (let count = 0; count < 300; count += 1) bytes = withAskedTime(bytes, now + count);
  expect(askedTimes(bytes)).toHaveLength(280);
  expect(askedTimes(bytes)[0]).toBe(now + 20);
});
