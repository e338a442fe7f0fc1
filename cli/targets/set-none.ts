import { isDrained } from '../../core/domain/target.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { register } from './register.ts';
import { refOf, type TargetOptions, targetStore } from './targets-of.ts';

type Options = TargetOptions & { yes?: true };

/** Events of the category go nowhere. */
export async function setNone(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  await endExport(session, deployment, options);
}

export async function endExport(session: Session, deployment: Deployment, options: Options): Promise<void> {
  const ref = refOf(options);
  const target = await targetStore(deployment).find(ref);
  const waiting = target && !isDrained(target) ? target.parkedCount : 0;
  if (waiting > 0)
    await session.confirm(
      `About ${waiting} events wait for this target, and are given up. Go on?`,
      options.yes,
    );
  await register(session, deployment, ref, { destination: { kind: 'none' } });
}
