import { describe, expect, test } from '@jest/globals';
import { needsTest, pauseAfter, postponement } from '../../../../core/export/targets/test-schedule.ts';
import type { Fault, LastTest, TargetState } from '../../../../core/export/targets/target.ts';
import { hours, minutes, seconds } from '../../../../core/kernel/time.ts';

const now = 1_000 * hours;

const idle = (state: TargetState, stateSince = now) => ({
  state,
  stateSince,
  parkedThrough: { '0/2': '0002' },
  drainedThrough: { '0/2': '0002' },
});
const waiting = (state: TargetState, stateSince = now) => ({
  ...idle(state, stateSince),
  drainedThrough: {},
});

describe('a failed test is repeated', () => {
  test('after 1, 5 and 15 minutes, then hourly', () => {
    const after = [1, 2, 3, 4, 5, 99].map((failures) => pauseAfter(idle('validating'), failures, now));
    expect(after).toEqual([1, 5, 15, 60, 60, 60].map((count) => count * minutes));
  });

  test.each(['validating', 'parked', 'degraded'] as const)(
    'every minute while events wait for a target that is %s, however long',
    (state) => {
      for (const failures of [1, 4, 999])
        expect(pauseAfter(waiting(state, 0), failures, now)).toBe(1 * minutes);
    },
  );

  test.each(['parked', 'degraded'] as const)(
    'within two minutes for a day while it is %s, so that its state stays current, then hourly',
    (state) => {
      expect(pauseAfter(idle(state), 1, now)).toBe(1 * minutes);
      expect(pauseAfter(idle(state, now - 23 * hours), 99, now)).toBe(100 * seconds);
      expect(pauseAfter(idle(state, now - 25 * hours), 99, now)).toBe(60 * minutes);
    },
  );
});

describe('a test that could not be made', () => {
  test('is repeated soon, then less often, but at least as often as a failed one', () => {
    const after = (target: Parameters<typeof postponement>[0]) =>
      [1, 2, 5, 9, 300].map((receives) => postponement(target, receives, now) / seconds);
    expect(after(idle('active'))).toEqual([2, 4, 32, 300, 300]);
    expect(after(idle('parked'))).toEqual([2, 4, 32, 100, 100]);
    expect(after(waiting('validating'))).toEqual([2, 4, 32, 60, 60]);
  });
});

describe('the need for a test', () => {
  const testFault: Fault = { actor: 'tenant', code: 'AccessDenied', reason: 'The role is gone.' };
  const failed: LastTest = { id: 'a', requestedAt: now, endedAt: now, outcome: 'failed' };

  test.each<[string, boolean, LastTest | undefined]>([
    ['that was never tested', false, undefined],
    ['whose next test is soon', false, { ...failed, nextAt: now + 1 * minutes }],
    ['whose next test is far', true, { ...failed, nextAt: now + 5 * minutes }],
    ['whose next test is overdue', true, { ...failed, nextAt: now - 31 * seconds }],
    ['whose owner must act first', false, failed],
    ['whose test was just requested', false, { ...failed, outcome: 'waiting' }],
    ['whose test is running', false, { ...failed, outcome: 'running' }],
    ['whose test was lost', true, { ...failed, requestedAt: now - 4 * minutes, outcome: 'waiting' }],
    [
      'whose test was postponed for a long time',
      true,
      { ...failed, outcome: 'postponed', nextAt: now + 5 * minutes },
    ],
  ])('is known for a target %s: %s', (_, expected, lastTest) => {
    expect(needsTest({ testFault, lastTest }, now)).toBe(expected);
  });

  test('exists only if the last test failed', () => {
    const lastTest: LastTest = { ...failed, outcome: 'passed', nextAt: now + 1 * hours };
    expect(needsTest({ testFault: undefined, lastTest }, now)).toBe(false);
  });
});
