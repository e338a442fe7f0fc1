import type { Category } from '../../core/events/target-ref.ts';
import { describeTargetStatus, shownState } from '../../core/export/targets/target-status.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, tenantId, exampleTenant } from '../ids.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { type AcknowledgedOf, loadAcknowledged } from './acknowledgements.ts';
import { type Catalogue, catalogueStoreOf, requireWellFormed } from './catalogue-store.ts';
import { describeTarget, describeTargets, type Known, targetView } from './describe-target.ts';
import { summarize } from './summary.ts';

type Options = { tenant?: string; category?: Category };

export const targetStatusCommand = defineCommand<Options>({
  name: 'status',
  description:
    'Shows targets: state, its time and reason, who must act, counts, and how long the oldest event has waited. Of more than 20 targets, the text shows at most 20, and only inactive ones.',
  optionalIds: [tenantId, categoryId],
  examples: ['target status', `target status ${exampleTenant} public --json`],
  run: showStatus,
});

/** So many targets are shown whole. Of more, only those that are not active, and of those no more. */
const most = 20;

async function showStatus(session: Session, options: Options): Promise<void> {
  const catalogue = await findTargets(await session.deployment(), options);
  const { targets } = catalogue;
  const now = Date.now();
  const knownOf = (target: Target): Known => ({
    tenantName: catalogue.tenants.get(target.tenantId)?.name,
    acknowledged: catalogue.acknowledged(target, now),
  });
  session.print(
    targets.map((target) => targetView(target, now, knownOf(target))),
    describeSome(targets, now, knownOf),
  );
  requireWellFormed(catalogue);
}

export function describeSome(
  targets: readonly Target[],
  now: number,
  knownOf: (target: Target) => Known,
): string {
  if (targets.length <= most) return describeTargets(targets, now, knownOf);
  const others = targets.filter((target) => shownState(target, now) !== 'active').toSorted(byNeed(now));
  const described = others.slice(0, most).map((target) => describeTarget(target, now, knownOf(target)));
  const left = others.length - described.length;
  const more = left > 0 ? ` ${left} more inactive targets are not shown: select them with --state.` : '';
  return [
    ...described,
    `${summarize(targets, now)} Active targets are listed by "omi target list".${more}`,
  ].join('\n\n');
}

/** Those that need an action come first. */
const byNeed =
  (now: number) =>
  (a: Target, b: Target): number =>
    needOf(a, now) - needOf(b, now);

const needOf = (target: Target, now: number): number =>
  describeTargetStatus(target, now).actor === 'nobody' ? 1 : 0;

/** The targets with these ids, or all of them. */
export async function findTargets(
  deployment: Deployment,
  { tenant, category }: Pick<Options, 'tenant' | 'category'>,
): Promise<Catalogue & { acknowledged: AcknowledgedOf }> {
  const [{ targets, ...others }, acknowledged] = await Promise.all([
    find(deployment, tenant),
    loadAcknowledged(deployment),
  ]);
  const isNamed = (target: Target) => category === undefined || target.category === category;
  return { targets: targets.filter(isNamed), ...others, acknowledged };
}

async function find(deployment: Deployment, tenant: string | undefined): Promise<Catalogue> {
  if (tenant === undefined) return await catalogueStoreOf(deployment).all();
  await requireTenant(deployment, tenant);
  return await catalogueStoreOf(deployment).ofTenant(tenant);
}
