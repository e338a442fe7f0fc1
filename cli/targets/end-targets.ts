import { categories, type TargetRef } from '../../core/events/target-ref.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { isDeliveryStreamGone, takeBackWriting } from './remove.ts';
import { findBefore, targetStore } from './targets-store.ts';

/** `complete` is false while a delivery stream still writes what it holds, so that it and the role's policy stay. */
export type Ended = { targets: number; complete: boolean };

/** Ends all targets of a tenant: waiting events are not delivered, and delivery streams and permissions are deleted. */
export async function endTargets(
  session: Session,
  deployment: Deployment,
  tenantId: string,
  waits: boolean,
): Promise<Ended> {
  const refs: TargetRef[] = [];
  for (const category of categories) {
    const ref = { tenantId, category };
    if ((await findBefore(deployment, ref)) === undefined) continue;
    await targetStore(deployment).register(ref, { kind: 'none' }, Date.now());
    refs.push(ref);
  }
  let complete = true;
  for (const ref of refs) {
    if (await isDeliveryStreamGone(session, deployment, ref, waits))
      await takeBackWriting(session, deployment, ref);
    else complete = false;
  }
  return { targets: refs.length, complete };
}
