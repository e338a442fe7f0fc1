import { seconds } from '../../kernel/time.ts';
import { CheckFailed, consequenceOf, endsOwnership } from '../kinds/checks.ts';
import { orChanged, TargetChanged, type Probes } from '../kinds/probe.ts';
import { isPlace } from '../kinds/records.ts';
import type { LastTestStore } from '../targets/last-test-store.ts';
import type { TargetReadiness } from '../targets/target-readiness-store.ts';
import type { TargetStore } from '../targets/target-store.ts';
import type { Fault, Target, TestEvent } from '../targets/target.ts';
import {
  asFound,
  begunTest,
  eventRefused,
  failedTest,
  isSuperseded,
  passedTest,
  postponedTest,
  type TestMessage,
  type TestRun,
} from './test-record.ts';
import type { VerificationRequest } from './verification-queue.ts';

export type VerificationDeps = {
  targets: Pick<TargetStore, 'find'>;
  readiness: Pick<TargetReadiness, 'verified' | 'passed' | 'warned' | 'failed'>;
  lastTests: Pick<LastTestStore, 'begun' | 'postponed'>;
  probes: Probes;
  /** @returns why the target did not take the event, if so */
  sendEvent: (target: Target, event: TestEvent, now: number) => Promise<Fault | undefined>;
};

/** What a request asks for, and its message. */
export type VerificationOf = VerificationRequest & { message: TestMessage };

/** With `againAt` the message must come again then, in milliseconds since 1970. */
export type Verification =
  | { outcome: 'verified' | 'nothing' | 'superseded' }
  | { outcome: 'failed'; fault: Fault; againAt?: number }
  | { outcome: 'changed'; againAt: number }
  | { outcome: 'not-now'; fault: Fault; againAt: number };

/**
 * Tests whether a target can be trusted, and takes events in the way in which they are sent later. The first fault ends the
 * test. A target in validation becomes active when it passes; an active target is stopped when it fails. A test that fails is
 * repeated, because nothing else may show that the fault is gone. An event is sent last; that the target refuses it says
 * nothing about the target.
 *
 * @throws {MalformedTarget}
 */
export async function verifyTarget(
  deps: VerificationDeps,
  { proof, event, message, ...ref }: VerificationOf,
  clock: () => number = Date.now,
): Promise<Verification> {
  const target = await deps.targets.find(ref);
  if (!target || !isPlace(target.destination)) return { outcome: 'nothing' };
  // A proof, and an event to send, are in this message only.
  if (proof === undefined && !event && isSuperseded(target, message)) return { outcome: 'superseded' };
  const run: TestRun = { target, test: begunTest(target, message, event), message };
  let warning: string | undefined;
  try {
    orChanged(await deps.lastTests.begun(target, run.test));
    warning = await deps.probes[target.destination.kind].prove({ target, proof, now: clock() });
    const refused = event && (await deps.sendEvent(target, event, clock()));
    await pass(deps, run, { warning, refused }, clock());
    return { outcome: 'verified' };
  } catch (error) {
    if (error instanceof TargetChanged) return { outcome: 'changed', againAt: clock() + afterChangeMs };
    if (!(error instanceof CheckFailed)) throw error;
    return await fail(deps, run, error.fault, clock());
  }
}

/** Milliseconds until the changed target is tested. */
const afterChangeMs = 2 * seconds;

async function pass(
  { readiness }: VerificationDeps,
  run: TestRun,
  { warning, refused }: { warning: string | undefined; refused: Fault | undefined },
  now: number,
): Promise<void> {
  orChanged(await readiness.passed(run.target));
  orChanged(await readiness.warned(run.target, warning));
  const test = refused ? eventRefused(run, refused, now) : passedTest(run, now);
  orChanged(await readiness.verified(run.target, now, test));
}

async function fail(
  { readiness, lastTests }: VerificationDeps,
  run: TestRun,
  seen: Fault,
  now: number,
): Promise<Verification> {
  const found = asFound(run.test, seen, now);
  // If nobody must act, the fault says nothing about the target.
  if (found.actor === 'nobody') {
    const test = postponedTest(run, found, now);
    await lastTests.postponed(run.target, test);
    return { outcome: 'not-now', fault: found, againAt: test.nextAt };
  }
  const fault = { ...found, foundAt: now };
  const test = failedTest(run, fault, now);
  const failure = { fault, consequence: consequenceOf(fault), endsOwnership: endsOwnership(fault), test };
  const isSame = await readiness.failed(run.target, failure, now);
  if (!isSame) return { outcome: 'changed', againAt: now + afterChangeMs };
  return { outcome: 'failed', fault, ...(test.nextAt !== undefined && { againAt: test.nextAt }) };
}
