import { setTimeout } from 'node:timers/promises';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { LastTestStore } from '../../core/export/targets/last-test-store.ts';
import { isProvisioningFault, type LastTest, type Target } from '../../core/export/targets/target.ts';
import { requestTest as request } from '../../core/export/verification/request-test.ts';
import {
  VerificationQueue,
  type VerificationRequest,
} from '../../core/export/verification/verification-queue.ts';
import { seconds } from '../../core/kernel/time.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { requireTarget } from './target-record.ts';

/** The text that a bucket's owner read, and an event to send. */
export type AskedOfTest = Pick<VerificationRequest, 'proof' | 'event'>;

/**
 * Asks the service to test a target, as it does before the first event.
 *
 * @returns the target, whose record has the test
 */
export async function requestTest(
  { clients, tables, queueUrl }: Deployment,
  target: Target,
  asked: AskedOfTest = {},
): Promise<Target> {
  const { tenantId, category } = target;
  const queue = new VerificationQueue(clients.sqs, await queueUrl('verifications'));
  const lastTests = new LastTestStore(clients.dynamodb, tables.tenants);
  return (await request({ queue, lastTests }, { tenantId, category, ...asked }, Date.now())) ?? target;
}

/** Milliseconds after which a test that has not ended is no longer waited for. */
const longestTestMs = 30 * seconds;

const isUnderWay = ({ lastTest }: Target, outcomes: readonly LastTest['outcome'][]): boolean =>
  lastTest !== undefined &&
  outcomes.includes(lastTest.outcome) &&
  Date.now() - lastTest.requestedAt < longestTestMs;

/**
 * Has a target tested once. An earlier test under way would be taken for it, and ends before. One that has not begun finds the
 * same, unless a proof or an event is given.
 *
 * @returns the target before the test
 */
export async function haveTested(
  deployment: Deployment,
  ref: TargetRef,
  asked: AskedOfTest = {},
): Promise<Target> {
  const before = await requireTarget(deployment, ref);
  if (asked.proof === undefined && !asked.event && isUnderWay(before, ['waiting'])) return before;
  if (isUnderWay(before, ['waiting', 'running'])) {
    await setTimeout(seconds / 4);
    return await haveTested(deployment, ref, asked);
  }
  await requestTest(deployment, before, asked);
  return before;
}

const isVerified = (target: Target, before: Target): boolean =>
  target.verifiedAt !== undefined && target.verifiedAt !== before.verifiedAt;

/** True if the target was verified since `before`, and events may flow. */
export const isSound = (target: Target, before: Target): boolean =>
  isVerified(target, before) && target.state !== 'validating';

const hasFailed = ({ lastTest }: Target, before: Target): boolean =>
  lastTest?.outcome === 'failed' && lastTest.endedAt !== before.lastTest?.endedAt;

/** The delivery stream of a bucket that passed its test cannot be made. */
const isNotProvisioned = (target: Target, before: Target): boolean =>
  isVerified(target, before) &&
  isProvisioningFault(target.fault) &&
  JSON.stringify(target.fault) !== JSON.stringify(before.fault);

const hasOutcome = (target: Target, before: Target): boolean =>
  isSound(target, before) || hasFailed(target, before) || isNotProvisioned(target, before);

/** @returns the target as soon as its record has the outcome of the test, or at the time-out */
export async function awaitOutcome(
  deployment: Deployment,
  before: Target,
  { timeoutMs, note }: { timeoutMs: number; note: (line: string) => void },
): Promise<Target> {
  const deadline = Date.now() + timeoutMs;
  let noted = '';
  for (;;) {
    const target = await requireTarget(deployment, before);
    if (hasOutcome(target, before) || Date.now() >= deadline) return target;
    const line = isVerified(target, before)
      ? 'The target is verified. The service creates the delivery stream …'
      : 'The service tests the target …';
    if (line !== noted) note(line);
    noted = line;
    await setTimeout(seconds);
  }
}
