import { describe, expect, test } from '@jest/globals';
import { emptyHistory, recordOutcome } from '../../../core/devices/push-history.ts';
import {
  isStillAllowed,
  recoveryQuestionOn,
  type Recovery,
  recoveryState,
  usableRecovery,
} from '../../../core/devices/recovery.ts';

const now = 1_000_000;
const allowed: Recovery = {
  recoveryId: 'recovery',
  requestedBy: 'olga',
  requestedAt: now,
  allowedAt: now,
  expiresAt: now + 100,
  question: { challengeId: 'question', deviceIds: ['phone'] },
};
const { allowedAt: _allowedAt, ...requested } = allowed;

test.each<[string, Recovery, number]>([
  ['requested', requested, now],
  ['allowed', allowed, now],
  ['expired', allowed, now + 100],
  ['used', { ...allowed, usedAt: now }, now + 100],
  ['stopped', { ...allowed, usedAt: now, stoppedAt: now }, now],
])('a recovery is %s', (state, recovery, at) => {
  expect(recoveryState(recovery, at)).toBe(state);
  expect(usableRecovery(recovery, at)).toBe(state === 'allowed' ? recovery : undefined);
});

test('a code stays good until its recovery is stopped, or another one took its place', () => {
  expect(isStillAllowed({ ...allowed, usedAt: now }, 'recovery')).toBe(true);
  expect(isStillAllowed({ ...allowed, stoppedAt: now }, 'recovery')).toBe(false);
  expect(isStillAllowed(allowed, 'another')).toBe(false);
  expect(isStillAllowed(undefined, 'recovery')).toBe(false);
});

test('only the devices that were told show the question, until it is stopped or over', () => {
  expect(recoveryQuestionOn(allowed, 'phone', now)).toBe('question');
  expect(recoveryQuestionOn({ ...allowed, usedAt: now }, 'phone', now)).toBe('question');
  expect(recoveryQuestionOn(allowed, 'new phone', now)).toBeUndefined();
  expect(recoveryQuestionOn({ ...allowed, stoppedAt: now }, 'phone', now)).toBeUndefined();
  expect(recoveryQuestionOn(allowed, 'phone', now + 100)).toBeUndefined();
});

describe('an answer to its question', () => {
  const history = { ...emptyHistory, recovery: allowed, unsuccessfulInARow: 1 };

  test('stops it when it is a denial, and counts in no limit', () => {
    expect(recordOutcome(history, 'question', { end: 'denied' }, now + 1)).toEqual({
      ...history,
      recovery: { ...allowed, stoppedAt: now + 1 },
    });
  });

  test('also pauses questions when it is "not me"', () => {
    const after = recordOutcome(history, 'question', { end: 'denied', notMe: true }, now + 1);
    expect(after).toMatchObject({ notMeAt: now + 1, unsuccessfulInARow: 1 });
  });

  test('changes nothing when it is a confirmation', () => {
    expect(recordOutcome(history, 'question', { end: 'confirmed', deviceId: 'phone' }, now)).toEqual(history);
  });
});
