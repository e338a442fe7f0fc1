import type { Category, Target } from '../../core/domain/target.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { describeTargets, targetView } from './describe-target.ts';
import { catalogueOf, known, targetsOf } from './targets-of.ts';

type Options = { tenant?: string; category?: Category };

export async function showStatus(session: Session, options: Options): Promise<void> {
  const targets = await find(await session.deployment(), options);
  const now = Date.now();
  session.print(
    targets.map((target) => targetView(target, now)),
    describeTargets(targets, now),
  );
}

async function find(deployment: Deployment, { tenant, category }: Options): Promise<Target[]> {
  if (tenant) await requireTenant(deployment, tenant);
  const targets = tenant ? await targetsOf(deployment, tenant) : known(await catalogueOf(deployment).all());
  return targets.filter((target) => category === undefined || target.category === category);
}
