import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  emptyHistory,
  forgetChallenges,
  forgetDevice,
  recordOutcome,
  pushLimitsOf,
  reachedLimit,
  recordSent,
  recordWithdrawal,
  resetLimits,
  closeExpired,
  type Outcome,
  type PushHistory,
} from '../../../core/devices/push-history.ts';
import { defaultSettings, type PushLimits } from '../../../core/tenants/tenant.ts';

const limits = defaultSettings.pushLimits;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const start = Date.UTC(2026, 0, 1);

/** The time from which the user may be asked again. */
const nextPushAt = (history: PushHistory, of: PushLimits): number =>
  Math.max(...pushLimitsOf(history, of, Infinity).map(({ until }) => until));

/** A confirmation sent at `at` that ended a second later. */
const ask = (history: PushHistory, at: number, end: Outcome): PushHistory => {
  const sent = recordSent(history, {
    keys: ['d'],
    challengeId: `c${at}`,
    expiresAt: at + 2 * minute,
    now: at,
  });
  return recordOutcome(sent, `c${at}`, end, at + second);
};

const confirmed: Outcome = { end: 'confirmed', deviceId: 'd' };
const denied: Outcome = { end: 'denied' };

describe('a user may be asked', () => {
  test('5 times in any 10 minutes: the sixth push waits until the first is 10 minutes old', () => {
    let history = emptyHistory;
    for (let push = 0; push < 5; push += 1) {
      const at = start + push * minute;
      expect(nextPushAt(history, limits)).toBeLessThanOrEqual(at);
      history = ask(history, at, confirmed);
    }
    expect(nextPushAt(history, limits)).toBe(start + 10 * minute);
  });

  test('20 times in any 24 hours', () => {
    let history = emptyHistory;
    for (let push = 0; push < 20; push += 1) history = ask(history, start + push * 11 * minute, confirmed);
    expect(nextPushAt(history, limits)).toBe(start + 24 * hour);
  });

  test('never more often than the limits allow, for any times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 * minute }), { maxLength: 60 }), (gaps) => {
        let history = emptyHistory;
        let now = start;
        const sent: number[] = [];
        for (const gap of gaps) {
          now += gap;
          if (nextPushAt(history, limits) > now) continue;
          history = ask(history, now, confirmed);
          sent.push(now);
        }
        for (const at of sent) {
          expect(sent.filter((other) => other > at - 10 * minute && other <= at).length).toBeLessThanOrEqual(
            5,
          );
          expect(sent.filter((other) => other > at - 24 * hour && other <= at).length).toBeLessThanOrEqual(
            20,
          );
        }
      }),
    );
  });

  test.each([
    [3, 5],
    [4, 10],
    [5, 20],
    [6, 40],
    [7, 60],
    [8, 60],
  ])(
    'after %i unsuccessful confirmations in a row only after a pause of %i minutes',
    (unsuccessful, pause) => {
      let history = emptyHistory;
      for (let push = 0; push < unsuccessful; push += 1)
        history = ask(history, start + push * 2 * hour, denied);
      const lastEnd = start + (unsuccessful - 1) * 2 * hour + second;
      expect(nextPushAt(history, limits)).toBe(lastEnd + pause * minute);
    },
  );

  test('more often again after a successful confirmation, which resets the count', () => {
    let history = emptyHistory;
    for (const end of [denied, denied, confirmed, denied, denied]) {
      history = ask(history, (history.sentAt.at(-1) ?? start) + hour, end);
    }
    expect(nextPushAt(history, limits)).toBeLessThanOrEqual((history.sentAt.at(-1) ?? 0) + 2 * second);
  });

  test('as often after a cancelled confirmation, which counts neither as successful nor as unsuccessful', () => {
    let history = emptyHistory;
    for (const end of [denied, denied]) history = ask(history, (history.sentAt.at(-1) ?? start) + hour, end);
    const sent = { keys: ['d'], challengeId: 'c', expiresAt: start + 9 * hour, now: start + 3 * hour };
    const cancelled = forgetDevice(recordSent(history, sent), 'd', start + 4 * hour);
    expect(cancelled.open).toEqual({});
    expect(cancelled.unsuccessfulInARow).toBe(2);
    expect(ask(cancelled, start + 5 * hour, denied).unsuccessfulInARow).toBe(3);
  });

  test('only after a pause of 20 minutes after not_me, which a confirmation on another device does not end', () => {
    const history = ask(emptyHistory, start, { end: 'denied', notMe: true });
    expect(nextPushAt(history, limits)).toBe(start + second + 20 * minute);
    const later = recordOutcome(history, 'c-other', confirmed, start + minute);
    expect(nextPushAt(later, limits)).toBe(start + second + 20 * minute);
  });

  test('as often as the limits of the tenant allow', () => {
    const strict = { ...limits, perTenMinutes: 1, pauseAfter: 1, pauseSeconds: 7 };
    expect(nextPushAt(ask(emptyHistory, start, confirmed), strict)).toBe(start + 10 * minute);
    expect(nextPushAt(ask(emptyHistory, start, denied), { ...strict, perTenMinutes: 5 })).toBe(
      start + second + 7 * second,
    );
  });
});

describe('withdrawn questions', () => {
  /** A question that is sent at `at` and withdrawn a second later. */
  const withdraw = (history: PushHistory, at: number): PushHistory => {
    const sent = { keys: ['d'], challengeId: `c${at}`, expiresAt: at + 2 * minute, now: at };
    const withdrawn = recordWithdrawal(recordSent(history, sent), { sentAt: at, at: at + second });
    return forgetChallenges(withdrawn, new Set([sent.challengeId]));
  };
  const withdrawTimes = (times: number, history = emptyHistory): PushHistory =>
    [...Array(times).keys()].reduce((before, minutes) => withdraw(before, start + minutes * minute), history);

  test('are not counted as pushes', () => {
    const history = withdrawTimes(9);
    expect(history.sentAt).toEqual([]);
    expect(reachedLimit(history, limits, start + 9 * minute)).toBeUndefined();
  });

  test('keep the push of another question that was sent in the same millisecond', () => {
    const both = { ...emptyHistory, sentAt: [start, start] };
    expect(recordWithdrawal(both, { sentAt: start, at: start }).sentAt).toEqual([start]);
  });

  test('are at most 10 in any hour; then the user is asked again when the first is an hour old', () => {
    const history = withdrawTimes(10);
    expect(reachedLimit(history, limits, start + 10 * minute)).toEqual({
      limit: 'withdrawnPerHour',
      counted: 10,
      allowed: 10,
      until: start + second + hour,
    });
    expect(reachedLimit(history, limits, start + second + hour)).toBeUndefined();
  });

  test('lock the user for an hour at most, also with a clock that is behind, and however many they are', () => {
    const history = withdrawTimes(10);
    expect(reachedLimit(history, limits, start)?.until).toBe(start + hour);
    const more = { ...history, withdrawnAt: [...Array(40).keys()].map((at) => start + at) };
    expect(reachedLimit(more, limits, start + minute)?.until).toBeLessThanOrEqual(start + hour + minute);
  });

  test('are forgotten after an hour', () => {
    const history = withdraw(withdrawTimes(3), start + 2 * hour);
    expect(history.withdrawnAt).toEqual([start + 2 * hour + second]);
  });
});

describe('the limits of a user', () => {
  test('are listed with their counts, whether they are reached or not', () => {
    const history = ask(ask(emptyHistory, start, denied), start + hour, { end: 'denied', notMe: true });
    const now = start + hour + minute;
    expect(pushLimitsOf(history, limits, now)).toEqual([
      { limit: 'perTenMinutes', counted: 1, allowed: 5, until: 0 },
      { limit: 'perDay', counted: 2, allowed: 20, until: 0 },
      { limit: 'withdrawnPerHour', counted: 0, allowed: 10, until: 0 },
      { limit: 'unsuccessfulInARow', counted: 2, allowed: 3, until: 0 },
      { limit: 'notMe', counted: 1, allowed: 1, until: start + hour + second + 20 * minute },
    ]);
  });

  test('are cleared by a reset, which keeps open confirmations and everything else known of the user', () => {
    const asked = { keys: ['a'], challengeId: 'a', expiresAt: start + minute, now: start };
    const before = recordSent(ask(emptyHistory, start, { end: 'denied', notMe: true }), asked);
    const open = recordSent(before, { ...asked, keys: ['b'], challengeId: 'b', expiresAt: start + hour });
    const history = { ...open, withdrawnAt: [start], lastConfirmedOn: 'a' };
    const { b } = open.open;
    const reset = resetLimits(history, start + 2 * minute);
    expect(reset).toEqual({
      ...emptyHistory,
      open: { b },
      lastConfirmedOn: 'a',
      asked: expect.anything(),
    });
    expect(reachedLimit(closeExpired(reset, start + 2 * minute), limits, start)).toBeUndefined();
  });

  test('apply until the last of them ends', () => {
    const reached = { ...emptyHistory, sentAt: Array<number>(5).fill(start), notMeAt: start };
    expect(reachedLimit(reached, limits, start)).toMatchObject({ limit: 'notMe' });
    expect(reachedLimit({ ...reached, notMeAt: start - 15 * minute }, limits, start)).toMatchObject({
      limit: 'perTenMinutes',
    });
  });
});

describe('an expired confirmation', () => {
  const open = (history: PushHistory, deviceId: string, at: number, expiresAt: number) =>
    recordSent(history, { keys: [deviceId], challengeId: `c-${deviceId}`, expiresAt, now: at });

  test('counts as unsuccessful from its expiry on, without its own write', () => {
    let history = emptyHistory;
    for (const device of ['a', 'b', 'c']) history = open(history, device, start, start + minute);
    expect(closeExpired(history, start + minute - 1).unsuccessfulInARow).toBe(0);
    const closed = closeExpired(history, start + hour);
    expect(closed.open).toEqual({});
    expect(closed.unsuccessfulInARow).toBe(3);
    expect(nextPushAt(closed, limits)).toBe(start + minute + 5 * minute);
  });

  test('is counted once', () => {
    const closed = closeExpired(open(emptyHistory, 'a', start, start + minute), start + hour);
    expect(closeExpired(closed, start + 2 * hour)).toEqual(closed);
  });

  test('is reset by a later success on another device, and counts after an earlier one', () => {
    const before = open(emptyHistory, 'a', start, start + minute);
    expect(recordOutcome(before, 'c-b', confirmed, start + 2 * minute).unsuccessfulInARow).toBe(0);
    const after = recordOutcome(
      open(emptyHistory, 'a', start, start + 3 * minute),
      'b',
      confirmed,
      start + minute,
    );
    expect(closeExpired(after, start + hour).unsuccessfulInARow).toBe(1);
  });
});
