import type { Category } from '../../core/events/target-ref.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, tenantId, exampleTenant } from '../ids.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { type Catalogue, catalogueStoreOf, requireWellFormed } from './catalogue-store.ts';
import { describeTargets, targetView } from './describe-target.ts';

type Options = { tenant?: string; category?: Category };

export const targetStatusCommand = defineCommand<Options>({
  name: 'status',
  description:
    'Shows targets: state, since when, why, action required by, counts, and for how long the oldest event has waited.',
  optionalIds: [tenantId, categoryId],
  examples: ['target status', `target status ${exampleTenant} public --json`],
  run: showStatus,
});

async function showStatus(session: Session, { tenant, category }: Options): Promise<void> {
  const catalogue = await find(await session.deployment(), tenant);
  const targets = catalogue.targets.filter(
    (target) => category === undefined || target.category === category,
  );
  const now = Date.now();
  session.print(
    targets.map((target) => targetView(target, now)),
    describeTargets(targets, now),
  );
  requireWellFormed(catalogue);
}

async function find(deployment: Deployment, tenant: string | undefined): Promise<Catalogue> {
  if (tenant === undefined) return await catalogueStoreOf(deployment).all();
  await requireTenant(deployment, tenant);
  return await catalogueStoreOf(deployment).ofTenant(tenant);
}
