import type { Destination } from '../../core/export/targets/target.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { describeTarget, targetView } from './describe-target.ts';
import { requireTarget, targetStore } from './targets-store.ts';

export type Registered = { destination: Destination; types?: string[] | undefined };

/** Writes the target, and shows what it is now. */
export async function register(
  session: Session,
  deployment: Deployment,
  ref: TargetRef,
  { destination, types }: Registered,
): Promise<void> {
  await targetStore(deployment).register(ref, destination, Date.now(), types);
  const target = await requireTarget(deployment, ref);
  if (target.state === 'validating')
    session.note(
      `Events wait until the target is tested: omi target test --tenant ${ref.tenantId} --category ${ref.category}`,
    );
  session.print(targetView(target, Date.now()), describeTarget(target, Date.now()));
}
