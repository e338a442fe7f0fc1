import { setTimeout } from 'node:timers/promises';
import { categories, type ExportRef } from '../../core/events/target-ref.ts';
import { deliveryStreamNameOf } from '../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import { minutes, seconds } from '../../core/kernel/time.ts';
import { CommandError } from '../command-error.ts';
import { type Deployment, prefixOf } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { deliveryRoleFor, deliveryStreamExists } from './delivery-client.ts';
import { endQuestion } from './questions.ts';
import { registerTarget } from './register-target.ts';
import { findBefore, refOf, type TargetOptions, targetStoreOf } from './target-record.ts';

/** Registers that events of the category go nowhere. Asks first, and says what would be lost. */
export async function endExport(
  session: Session,
  deployment: Deployment,
  options: TargetOptions & { yes?: true },
): Promise<void> {
  const ref = refOf(options);
  const question = await endQuestion(deployment, await findBefore(deployment, ref), ref.category);
  await session.confirm(question, options.yes);
  await registerTarget(session, deployment, ref, { destination: { kind: 'none' } });
}

/** `complete` is false while a delivery stream still exists: the permissions of the delivery role stay until it is gone. */
export type EndedTargets = { targets: number; complete: boolean };

/** Ends all targets of a tenant: waiting events are not delivered, and delivery streams and permissions are deleted. */
export async function endTargets(
  session: Session,
  deployment: Deployment,
  tenantId: string,
  wait: boolean,
): Promise<EndedTargets> {
  const refs: ExportRef[] = [];
  for (const category of categories) {
    const ref = { tenantId, category };
    if ((await findBefore(deployment, ref)) === undefined) continue;
    await targetStoreOf(deployment).register(ref, { kind: 'none' }, Date.now());
    refs.push(ref);
  }
  let complete = true;
  for (const ref of refs) complete = (await endDelivery(session, deployment, ref, wait)) && complete;
  return { targets: refs.length, complete };
}

/** A delivery stream is deleted when its buffer is written, minutes after the change. */
const longestDeletionMs = 30 * minutes;
const pollingIntervalMs = 5 * seconds;

/**
 * Revokes the permissions of the delivery role as soon as the delivery stream of an ended target is deleted. The service
 * deletes it.
 *
 * @returns false while the delivery stream still exists
 */
export async function endDelivery(
  session: Session,
  deployment: Deployment,
  ref: ExportRef,
  wait: boolean,
): Promise<boolean> {
  const name = deliveryStreamNameOf(`${prefixOf(deployment)}-`, ref);
  if (await deliveryStreamExists(deployment, name)) {
    if (!wait) return false;
    await awaitDeletion(session, deployment, name);
  }
  const role = await deliveryRoleFor(deployment, ref.tenantId);
  if ((await role.revokeOthers(ref.category)) > 0)
    session.note(`The delivery role can no longer write ${ref.category} events: ${role.arn}`);
  return true;
}

async function awaitDeletion(session: Session, deployment: Deployment, name: string): Promise<void> {
  const deadline = Date.now() + longestDeletionMs;
  session.note(
    `The delivery stream ${name} writes its buffer before it is deleted. This takes some minutes …`,
  );
  while (await deliveryStreamExists(deployment, name)) {
    if (Date.now() > deadline)
      throw new CommandError(
        `The delivery stream ${name} still exists.`,
        'See the log of the Lambda provision-target.',
      );
    await setTimeout(pollingIntervalMs);
  }
}
