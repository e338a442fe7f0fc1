import { setTimeout } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { VerificationRequest } from '../../core/export/verification/verification-queue.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { seconds } from '../../core/kernel/time.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { describeTarget, targetView } from './describe-target.ts';
import { describeFinding, explain } from './explain-fault.ts';
import { refOf, requireTarget, type TargetOptions } from './targets-store.ts';

type Options = TargetOptions & { timeout: number; proof?: string };

const betweenLooks = seconds;

/** Has the service itself test the target, as it does before the first event, and tells how it went. */
export async function testTarget(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const before = await requireTarget(deployment, refOf(options));
  if (before.destination.kind === 'none')
    throw new CommandError('This target is none: there is nothing to test.');
  await request(deployment, before, options.proof);
  const target = await follow(deployment, before, {
    timeout: options.timeout * seconds,
    tell: (line) => session.note(line),
  });
  const finding = isSound(target, before) ? undefined : await explain(deployment, target);
  session.print(
    { ...targetView(target, Date.now()), ...finding },
    [describeTarget(target, Date.now()), finding && describeFinding(finding)].filter(Boolean).join('\n\n'),
  );
  if (finding) throw notVerified(target);
}

/** Asks the service to test a target. */
export async function request(
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

/** Verified just now, and events may flow. */
export const isSound = (target: Target, before: Target): boolean =>
  isVerified(target, before) && target.state !== 'validating';

const hasNewFault = (target: Target, before: Target): boolean =>
  target.fault !== undefined && JSON.stringify(target.fault) !== JSON.stringify(before.fault);

/** The target's record as soon as it tells the outcome, or when the time is over. */
export async function follow(
  deployment: Deployment,
  before: Target,
  { timeout, tell }: { timeout: number; tell: (line: string) => void },
): Promise<Target> {
  const deadline = Date.now() + timeout;
  let told = '';
  for (;;) {
    const target = await requireTarget(deployment, before);
    if (isSound(target, before) || hasNewFault(target, before) || Date.now() >= deadline) return target;
    const state = isVerified(target, before)
      ? 'Trust is verified; the delivery stream is being made …'
      : 'The service tests the target …';
    if (state !== told) tell(state);
    told = state;
    await setTimeout(betweenLooks);
  }
}

function notVerified({ fault }: Target): CommandError {
  if (fault) return new CommandError(`The test failed (${fault.code}).`);
  return new CommandError(
    'The test is not over yet.',
    'While AWS is slow or away the service goes on testing by itself: look again with "omi target status", or run it with a longer --timeout. The log of verify-target says more.',
  );
}
