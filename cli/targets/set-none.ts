import { isDrained, type Target } from '../../core/export/targets/target.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { register } from './register.ts';
import { findBefore, refOf, type TargetOptions } from './targets-store.ts';

type Options = TargetOptions & { yes?: true };

/** Events of the category go nowhere. */
export async function setNone(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  await endExport(session, deployment, options);
}

export async function endExport(session: Session, deployment: Deployment, options: Options): Promise<void> {
  const ref = refOf(options);
  const question = questionOf(await findBefore(deployment, ref));
  if (question !== undefined) await session.confirm(question, options.yes);
  await register(session, deployment, ref, { destination: { kind: 'none' } });
}

/** What is lost, where something may be. */
function questionOf(before: Target | 'malformed' | undefined): string | undefined {
  if (before === 'malformed')
    return "The target's record makes no sense: whether events wait for it is not known, and they are given up. Go on?";
  if (!before || isDrained(before) || before.parkedCount === 0) return undefined;
  return `About ${before.parkedCount} events wait for this target, and are given up. Go on?`;
}
