import type { TargetRef } from '../../events/target-ref.ts';
import { seconds } from '../../kernel/time.ts';
import { CheckFailed, consequenceOf, endsOwnership } from '../kinds/checks.ts';
import { orChanged, TargetChanged, type Probes } from '../kinds/probe.ts';
import { isPlace } from '../kinds/records.ts';
import type { LastTestStore } from '../targets/last-test-store.ts';
import type { TargetReadiness } from '../targets/target-readiness-store.ts';
import type { TargetStore } from '../targets/target-store.ts';
import type { Fault } from '../targets/target.ts';
import {
  begunTest,
  failedTest,
  isSuperseded,
  passedTest,
  postponedTest,
  type TestMessage,
  type TestRun,
} from './test-record.ts';

export type VerificationDeps = {
  targets: Pick<TargetStore, 'find'>;
  readiness: Pick<TargetReadiness, 'verified' | 'passed' | 'warned' | 'failed'>;
  lastTests: Pick<LastTestStore, 'begun' | 'postponed'>;
  probes: Probes;
};

/** A target, the text that the owner of its bucket read, if it is given, and the message that asks for the test. */
export type VerificationOf = TargetRef & { proof?: string | undefined; message: TestMessage };

/** With `againAt` the message must come again then, in milliseconds since 1970. */
export type Verification =
  | { outcome: 'verified' | 'nothing' | 'superseded' }
  | { outcome: 'failed'; fault: Fault; againAt?: number }
  | { outcome: 'changed'; againAt: number }
  | { outcome: 'not-now'; fault: Fault; againAt: number };

/**
 * Tests whether a target can be trusted, and takes events in the way in which they are sent later. The first fault ends the
 * test. A target in validation becomes active when it passes; an active target is stopped when it fails. A test that fails is
 * repeated, because nothing else may show that the fault is gone.
 *
 * @throws {MalformedTarget}
 */
export async function verifyTarget(
  deps: VerificationDeps,
  { proof, message, ...ref }: VerificationOf,
  clock: () => number = Date.now,
): Promise<Verification> {
  const target = await deps.targets.find(ref);
  if (!target || !isPlace(target.destination)) return { outcome: 'nothing' };
  // A proof is in this message only.
  if (proof === undefined && isSuperseded(target, message)) return { outcome: 'superseded' };
  const run: TestRun = { target, test: begunTest(target, message), message };
  let warning: string | undefined;
  try {
    orChanged(await deps.lastTests.begun(target, run.test));
    warning = await deps.probes[target.destination.kind].prove({ target, proof, now: clock() });
    await pass(deps, run, warning, clock());
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
  warning: string | undefined,
  now: number,
): Promise<void> {
  orChanged(await readiness.passed(run.target));
  orChanged(await readiness.warned(run.target, warning));
  orChanged(await readiness.verified(run.target, now, passedTest(run, now)));
}

async function fail(
  { readiness, lastTests }: VerificationDeps,
  run: TestRun,
  found: Fault,
  now: number,
): Promise<Verification> {
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
