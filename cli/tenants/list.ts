import { Option } from 'commander';
import type { Target } from '../../core/export/targets/target.ts';
import { describeTargetStatus } from '../../core/export/targets/target-status.ts';
import { type TenantState, tenantState } from '../../core/tenants/profile.ts';
import { defineCommand } from '../command.ts';
import { pageOf, pageOptions, pageText, pageView, type PageOptions } from '../list-page.ts';
import type { Session } from '../session.ts';
import { catalogueStoreOf } from '../targets/catalogue-store.ts';
import { table } from '../text-table.ts';
import { tenantView } from './describe-tenant.ts';
import { hasLabels, labelFilter, type LabelOptions, labelsText, requireKnownKeys } from './labels.ts';
import { type Profile, toProfile } from './profile-store.ts';

const orders = ['waiting', 'since', 'name'] as const;
type Order = (typeof orders)[number];

type Options = LabelOptions & PageOptions & { state?: TenantState[]; sort: Order };

export const listTenantsCommand = defineCommand<Options>({
  name: 'list',
  description: 'Lists tenants, with what waits for their targets.',
  options: [
    new Option('--state <state...>', 'only tenants in these states').choices([
      'active',
      'suspended',
      'deleted',
    ]),
    labelFilter(),
    new Option(
      '--sort <order>',
      'by the waiting events of all targets (most first), the time since somebody must act for one (oldest first), or the name',
    )
      .choices(orders)
      .default('name'),
    ...pageOptions(),
  ],
  examples: [
    'tenant list',
    'tenant list --json',
    'tenant list --state active --label tier=gold --sort waiting --limit 50',
  ],
  run: listTenants,
});

/** `actionSince` is missing if nobody must act for a target of the tenant. */
type Row = { tenant: Profile; waiting: number; actionSince?: string | undefined };

function rowOf(tenant: Profile, targets: readonly Target[], now: number): Row {
  const statuses = targets.map((target) => describeTargetStatus(target, now));
  const times = statuses.filter(({ actor }) => actor !== 'nobody').map(({ since }) => since);
  return {
    tenant,
    waiting: statuses.reduce((sum, { parked }) => sum + parked, 0),
    actionSince: times.toSorted()[0],
  };
}

const sortKeys: Record<Order, (row: Row) => (string | number)[]> = {
  waiting: ({ waiting }) => [-waiting],
  since: ({ actionSince }) => (actionSince === undefined ? [1] : [0, actionSince]),
  name: ({ tenant }) => [tenant.name],
};

async function listTenants(session: Session, options: Options): Promise<void> {
  const { profiles, targets } = await catalogueStoreOf(await session.deployment()).all();
  const all = profiles.map(toProfile);
  requireKnownKeys(options, all);
  const now = Date.now();
  const targetsOf = Map.groupBy(targets, ({ tenantId }) => tenantId);
  const wanted = all
    .filter(
      (tenant) => hasLabels(tenant.labels, options) && (options.state?.includes(tenantState(tenant)) ?? true),
    )
    .map((tenant) => rowOf(tenant, targetsOf.get(tenant.tenantId) ?? [], now));
  const { sort } = options;
  const sorting = {
    order: `tenant list --sort ${sort}`,
    keyOf: (row: Row) => [...sortKeys[sort](row), row.tenant.tenantId],
  };
  const { rows, cursor } = pageOf(wanted, sorting, options);
  const tenants = rows.map(({ tenant, waiting, actionSince }) => ({
    ...tenantView(tenant),
    waiting,
    ...(actionSince !== undefined && { actionSince }),
  }));
  session.print(
    pageView('tenants', tenants, options, cursor),
    pageText([table(headings, rows.map(cellsOf))], cursor),
  );
}

const headings = ['TENANT', 'NAME', 'STATE', 'WAITING', 'ACTION SINCE', 'LABELS'];

const cellsOf = ({ tenant, waiting, actionSince }: Row) => [
  ...[tenant.tenantId, tenant.name, tenantState(tenant)],
  ...[waiting, actionSince, labelsText(tenant.labels)],
];
