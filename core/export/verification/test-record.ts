import { passingMs, pauseAfter, postponement } from '../targets/test-schedule.ts';
import type { Fault, LastTest, Target, TestEvent } from '../targets/target.ts';
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
export function begunTest({ lastTest }: Target, { id, sentAt }: TestMessage, event?: TestEvent): LastTest {
  const isOwn = lastTest?.id === id;
  const { failures, lastingSince } = lastTest ?? {};
  return {
    id,
    ...(event && { event }),
    requestedAt: isOwn ? (lastTest.nextAt ?? lastTest.requestedAt) : sentAt,
    outcome: 'running',
    ...(failures !== undefined && { failures }),
    ...(lastingSince !== undefined && { lastingSince }),
  };
}

/** A test under way: the target as it was before, its record of the test, and the message. */
export type TestRun = { target: Target; test: LastTest; message: TestMessage };

/** What stays of a test: which it is, and the event that it sends. */
const named = ({ id, event, requestedAt }: LastTest) => ({ id, ...(event && { event }), requestedAt });

export const passedTest = ({ test }: TestRun, now: number): LastTest => ({
  ...named(test),
  endedAt: now,
  outcome: 'passed',
});

/** The target is as it must be, but did not take the event. Nobody repeats that, and nothing waits for it. */
export const eventRefused = ({ test }: TestRun, { code, reason }: Fault, now: number): LastTest => ({
  ...named(test),
  ...{ endedAt: now, outcome: 'failed', code, reason },
});

export function failedTest({ target, test, message }: TestRun, fault: Fault, now: number): LastTest {
  const { code, reason } = fault;
  const failures = (test.failures ?? 0) + 1;
  const ended = {
    ...named(test),
    ...{ endedAt: now, outcome: 'failed' as const, code, reason, failures },
    ...lasting(test, fault, now),
  };
  if (awaitsOwner(fault)) return ended;
  if (message.receives >= receivesOfAMessage) return { ...ended, nextAt: now };
  return { ...ended, nextAt: now + pauseAfter(afterwards(target, consequenceOf(fault), now), failures, now) };
}

export function postponedTest(
  { target, test, message }: TestRun,
  fault: Fault,
  now: number,
): LastTest & { nextAt: number } {
  const { lastingSince: _, ...begun } = test;
  const { code, reason } = fault;
  const nextAt = now + postponement(target, message.receives, now);
  return { ...begun, ...lasting(test, fault, now), endedAt: now, outcome: 'postponed', code, reason, nextAt };
}

const lasting = ({ lastingSince }: LastTest, { lastingActor }: Fault, now: number) =>
  lastingActor ? { lastingSince: lastingSince ?? now } : {};

/** A fault that each test of the last minutes found is its tenant's to mend. Without events, nothing else shows that it lasts. */
export function asFound({ lastingSince = Infinity }: LastTest, fault: Fault, now: number): Fault {
  const { lastingActor, reason } = fault;
  if (fault.actor !== 'nobody' || !lastingActor || now - lastingSince < passingMs) return fault;
  return { ...fault, actor: lastingActor, reason: `${reason} Each test for 15 minutes or more found it.` };
}

/** A target at rest stays in its state; a live one is parked or loses its trust. */
function afterwards(target: Target, consequence: Consequence, now: number): Target {
  const { state } = target;
  if (state === 'validating' || state === 'paused') return target;
  if (consequence === 'revoke') return { ...target, state: 'validating', stateSince: now };
  const isLong = state === 'parked' || state === 'degraded';
  return { ...target, state: 'parked', stateSince: isLong ? target.stateSince : now };
}
