import { pauseAfter, postponement } from '../targets/test-schedule.ts';
import type { Fault, LastTest, Target } from '../targets/target.ts';
import { awaitsOwner, consequenceOf, type Consequence } from '../kinds/checks.ts';

/** The message that asks for a test, and repeats it. */
export type TestMessage = {
  id: string;
  /** In milliseconds since 1970. */
  sentAt: number;
  /** How often it was received, this time included. */
  receives: number;
};

/**
 * Receives of a message after which it no longer repeats its test, long before it is a dead letter. The daily test replaces
 * it. If events wait, their redelivery asks for another test before.
 */
export const receivesOfAMessage = 900;

/** True if a later request has taken over: only one message repeats the tests of a target. */
export const isSuperseded = ({ lastTest }: Target, { id, sentAt, receives }: TestMessage): boolean =>
  receives > 1 && lastTest !== undefined && lastTest.id !== id && lastTest.requestedAt > sentAt;

/** The record of a test that begins now. A repetition is asked for when it is due. */
export function begunTest({ lastTest }: Target, { id, sentAt }: TestMessage): LastTest {
  const isOwn = lastTest?.id === id;
  const failures = lastTest?.failures;
  return {
    id,
    requestedAt: isOwn ? (lastTest.nextAt ?? lastTest.requestedAt) : sentAt,
    outcome: 'running',
    ...(failures !== undefined && { failures }),
  };
}

/** A test under way: the target as it was before, its record of the test, and the message. */
export type TestRun = { target: Target; test: LastTest; message: TestMessage };

export const passedTest = ({ test: { id, requestedAt } }: TestRun, now: number): LastTest => ({
  id,
  requestedAt,
  endedAt: now,
  outcome: 'passed',
});

export function failedTest({ target, test, message }: TestRun, fault: Fault, now: number): LastTest {
  const { id, requestedAt } = test;
  const { code, reason } = fault;
  const failures = (test.failures ?? 0) + 1;
  const ended = { id, requestedAt, endedAt: now, outcome: 'failed' as const, code, reason, failures };
  if (awaitsOwner(fault)) return ended;
  if (message.receives >= receivesOfAMessage) return { ...ended, nextAt: now };
  return { ...ended, nextAt: now + pauseAfter(afterwards(target, consequenceOf(fault), now), failures, now) };
}

export function postponedTest(
  { target, test, message }: TestRun,
  { code, reason }: Fault,
  now: number,
): LastTest & { nextAt: number } {
  const nextAt = now + postponement(target, message.receives, now);
  return { ...test, endedAt: now, outcome: 'postponed', code, reason, nextAt };
}

/** A target at rest stays in its state; a live one is parked or loses its trust. */
function afterwards(target: Target, consequence: Consequence, now: number): Target {
  const { state } = target;
  if (state === 'validating' || state === 'paused') return target;
  if (consequence === 'revoke') return { ...target, state: 'validating', stateSince: now };
  const isLong = state === 'parked' || state === 'degraded';
  return { ...target, state: 'parked', stateSince: isLong ? target.stateSince : now };
}
