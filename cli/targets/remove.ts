import { setTimeout } from 'node:timers/promises';
import { DescribeDeliveryStreamCommand, ResourceNotFoundException } from '@aws-sdk/client-firehose';
import { deliveryStreamNameOf } from '../../core/export/provisioning/delivery-stream.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { minutes, seconds } from '../../core/kernel/time.ts';
import { type Deployment, prefixOf } from '../deployment/deployment.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { deliveryRoleFor } from '../deployment/account-client.ts';
import { endExport } from './set-none.ts';
import { refOf, requireTarget, type TargetOptions } from './targets-store.ts';

type Options = TargetOptions & { yes?: true; wait: boolean };

const betweenLooks = 5 * seconds;
/** A delivery stream is deleted when its buffer is written, minutes after the change. */
const longest = 30 * minutes;

/**
 * Ends a target for good: it becomes `none`; and when its delivery stream has written what it had and is gone, the
 * delivery role may no longer write for it. The role itself stays, with nothing that it may do: tenants name it.
 */
export async function removeTarget(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const ref = refOf(options);
  await requireTarget(deployment, ref);
  await endExport(session, deployment, options);
  if (!(await isDeliveryStreamGone(session, deployment, ref, options.wait))) {
    session.note(
      'The delivery stream is still there. Run the command again later: it takes back what the role may do.',
    );
    return;
  }
  await takeBackWriting(session, deployment, ref);
}

/** Removes the delivery role's permissions for an ended target. */
export async function takeBackWriting(
  session: Session,
  deployment: Deployment,
  { tenantId, category }: TargetRef,
): Promise<void> {
  const { role, roles } = await deliveryRoleFor(deployment, tenantId);
  if ((await roles.forbidOthers(role, category)) > 0)
    session.note(`The delivery role writes no more for ${category} events: ${role.arn}`);
}

export async function isDeliveryStreamGone(
  session: Session,
  deployment: Deployment,
  ref: TargetRef,
  waits: boolean,
): Promise<boolean> {
  const name = deliveryStreamNameOf(`${prefixOf(deployment)}-`, ref);
  const deadline = Date.now() + longest;
  if (!(await isThere(deployment, name))) return true;
  if (!waits) return false;
  session.note(
    `The delivery stream ${name} writes what it has, and is deleted then: this takes some minutes …`,
  );
  while (await isThere(deployment, name)) {
    if (Date.now() > deadline)
      throw new CommandError(
        `The delivery stream ${name} is still there.`,
        'The log of provision-target says why.',
      );
    await setTimeout(betweenLooks);
  }
  return true;
}

async function isThere({ clients }: Deployment, DeliveryStreamName: string): Promise<boolean> {
  try {
    await clients.firehose.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}
