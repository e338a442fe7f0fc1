import { describe, expect, test } from '@jest/globals';
import { holdOf, nextAttemptAt } from '../../../core/callbacks/retry-schedule.ts';
import { retention } from '../../../core/kernel/retention.ts';
import { hours, minutes, seconds } from '../../../core/kernel/time.ts';

describe('the next attempt', () => {
  test('comes after 1, 5, 30 s, 2, 10, 30 min, 1, 2, 4, 6 and 10 h, and then never', () => {
    const pauses = Array.from({ length: 12 }, (_, index) => nextAttemptAt(index + 1, 0, 0));
    expect(pauses).toEqual([
      ...[1, 5, 30].map((one) => one * seconds),
      ...[2, 10, 30].map((one) => one * minutes),
      ...[1, 2, 4, 6, 10].map((one) => one * hours),
      undefined,
    ]);
  });

  test('is the last one while the confirmation is stored', () => {
    const all = Array.from({ length: 11 }, (_, index) => nextAttemptAt(index + 1, 0, 0) ?? 0);
    const longestCalls = 12 * 10 * seconds;
    expect(all.reduce((sum, one) => sum + one) + longestCalls).toBeLessThan(retention.confirmation);
  });

  test('comes no earlier than the receiver asks, nor earlier than without its wish', () => {
    expect(nextAttemptAt(1, 7_000, 100)).toBe(7_100);
    expect(nextAttemptAt(3, 7_000, 100)).toBe(30_100);
  });
});

describe('a callback that cannot be sent yet', () => {
  test.each([
    [0, 1_000],
    [20_000, 5_000],
    [24 * hours, 10 * minutes],
  ])('has an age of %i ms and waits about %i ms', (age, wait) => {
    expect(holdOf(age, () => 0.5)).toBe(wait);
    expect(holdOf(age, () => 0)).toBe(0.75 * wait);
    expect(holdOf(age, () => 1)).toBe(1.25 * wait);
  });

  test('is received less often in a day than SQS allows', () => {
    let [age, receives] = [0, 0];
    for (; age < 24 * hours; receives += 1) age += holdOf(age, () => 0);
    expect(receives).toBeLessThan(500);
  });
});
