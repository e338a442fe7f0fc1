import type { Category } from '../../core/events/target-ref.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { describeTargets, targetView } from './describe-target.ts';
import type { Catalogue } from './target-catalogue.ts';
import { catalogueOf, requireWellFormed } from './targets-store.ts';

type Options = { tenant?: string; category?: Category };

export async function showStatus(session: Session, options: Options): Promise<void> {
  const catalogue = await find(await session.deployment(), options);
  const targets = catalogue.targets.filter(
    ({ category }) => options.category === undefined || category === options.category,
  );
  const now = Date.now();
  session.print(
    targets.map((target) => targetView(target, now)),
    describeTargets(targets, now),
  );
  requireWellFormed(catalogue);
}

async function find(deployment: Deployment, { tenant }: Options): Promise<Catalogue> {
  if (tenant === undefined) return await catalogueOf(deployment).all();
  await requireTenant(deployment, tenant);
  return await catalogueOf(deployment).ofTenant(tenant);
}
