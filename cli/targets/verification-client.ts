import { setTimeout } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Target } from '../../core/export/targets/target.ts';
import type { VerificationRequest } from '../../core/export/verification/verification-queue.ts';
import { seconds } from '../../core/kernel/time.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { requireTarget } from './target-record.ts';

/** Asks the service to test a target, as it does before the first event. */
export async function requestTest(
  deployment: Deployment,
  { tenantId, category }: Target,
  proof?: string,
): Promise<void> {
  await deployment.clients.sqs.send(
    new SendMessageCommand({
      QueueUrl: await deployment.queueUrl('verifications'),
      MessageBody: JSON.stringify({
        tenantId,
        category,
        ...(proof !== undefined && { proof }),
      } satisfies VerificationRequest),
    }),
  );
}

const isVerified = (target: Target, before: Target): boolean =>
  target.verifiedAt !== undefined && target.verifiedAt !== before.verifiedAt;

/** True if the target was verified since `before`, and events may flow. */
export const isSound = (target: Target, before: Target): boolean =>
  isVerified(target, before) && target.state !== 'validating';

const hasNewFault = (target: Target, before: Target): boolean =>
  target.fault !== undefined && JSON.stringify(target.fault) !== JSON.stringify(before.fault);

/** @returns the target as soon as its record has the outcome of the test, or at the time-out */
export async function awaitOutcome(
  deployment: Deployment,
  before: Target,
  { timeout, note }: { timeout: number; note: (line: string) => void },
): Promise<Target> {
  const deadline = Date.now() + timeout;
  let noted = '';
  for (;;) {
    const target = await requireTarget(deployment, before);
    if (isSound(target, before) || hasNewFault(target, before) || Date.now() >= deadline) return target;
    const line = isVerified(target, before)
      ? 'The target is verified. The service creates the delivery stream …'
      : 'The service tests the target …';
    if (line !== noted) note(line);
    noted = line;
    await setTimeout(seconds);
  }
}
