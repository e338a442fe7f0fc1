import { Option } from 'commander';
import {
  describeTargetStatus,
  givenUpText,
  type TargetStatus,
} from '../../core/export/targets/target-status.ts';
import { states, type Target, type TargetState } from '../../core/export/targets/target.ts';
import { kinds, type Destination } from '../../core/export/kinds/records.ts';
import type { Category } from '../../core/events/target-ref.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { pageOf, pageOptions, pageText, pageView, type PageOptions } from '../list-page.ts';
import { hasLabels, labelFilter, type LabelOptions, requireKnownKeys } from '../tenants/labels.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { requireWellFormed, type TenantOfTarget } from './catalogue-store.ts';
import { type Acknowledged, acknowledgedText } from './acknowledgements.ts';
import { targetView } from './describe-target.ts';
import { findTargets } from './status.ts';
import { summarize } from './summary.ts';

const orders = ['waiting', 'since', 'name'] as const;
type Order = (typeof orders)[number];

type Options = LabelOptions &
  PageOptions & {
    tenant?: string;
    category?: Category;
    state?: TargetState[];
    kind?: Destination['kind'];
    waiting?: true;
    sort: Order;
  };

export const listTargetsCommand = defineCommand<Options>({
  name: 'list',
  description: 'Lists targets, one on each line, for stages with many of them.',
  optionalIds: [tenantId, categoryId],
  options: [
    new Option('--state <state...>', 'only targets in these states').choices(states),
    new Option('--kind <kind>', 'only targets of this kind').choices([...kinds, 'none']),
    new Option('--waiting', 'only targets for which events wait'),
    labelFilter(),
    new Option(
      '--sort <order>',
      'by the waiting events (most first), the time since the state is so (oldest first), or the name of the tenant',
    )
      .choices(orders)
      .default('name'),
    ...pageOptions(),
  ],
  examples: [
    'target list',
    'target list --state parked validating --waiting',
    'target list --state parked --label tier=gold --sort since --limit 50',
    `target list ${exampleTenant} --json`,
  ],
  run: listTargets,
});

/** A target with what is shown of it. */
type Row = {
  target: Target;
  status: TargetStatus;
  tenant: TenantOfTarget | undefined;
  acknowledged: Acknowledged | undefined;
};

const isWanted = ({ target, status, tenant }: Row, options: Options): boolean => {
  const { state, kind, waiting } = options;
  return (
    (state?.includes(status.state) ?? true) &&
    (kind === undefined || target.destination.kind === kind) &&
    (!waiting || status.parked > 0) &&
    hasLabels(tenant?.labels, options)
  );
};

const sortKeys: Record<Order, (row: Row) => string | number> = {
  waiting: ({ status }) => -status.parked,
  since: ({ status }) => status.since,
  name: ({ tenant, target }) => tenant?.name ?? target.tenantId,
};

async function listTargets(session: Session, options: Options): Promise<void> {
  const catalogue = await findTargets(await session.deployment(), options);
  const now = Date.now();
  const rows = catalogue.targets.map((target) => ({
    target,
    status: describeTargetStatus(target, now),
    tenant: catalogue.tenants.get(target.tenantId),
    acknowledged: catalogue.acknowledged(target, now),
  }));
  requireKnownKeys(options, catalogue.tenants.values());
  const wanted = rows.filter((row) => isWanted(row, options));
  const { sort } = options;
  const sorting = {
    order: `target list --sort ${sort}`,
    keyOf: (row: Row) => [sortKeys[sort](row), row.target.tenantId, row.target.category],
  };
  const { rows: shown, cursor } = pageOf(wanted, sorting, options);
  const summary = summarize(
    wanted.map(({ target }) => target),
    now,
  );
  const targets = shown.map(({ target, tenant, acknowledged }) =>
    targetView(target, now, { tenantName: tenant?.name, acknowledged }),
  );
  session.print(
    pageView('targets', targets, options, cursor),
    pageText([table(headings, shown.map(cellsOf)), summary], cursor),
  );
  requireWellFormed(catalogue);
}

const headings = [
  'TENANT',
  'NAME',
  'CATEGORY',
  'KIND',
  'STATE',
  'SINCE',
  'WAITING',
  'GIVEN UP',
  'ACTION BY',
  'ACKNOWLEDGED',
];

const cellsOf = ({ target, status, tenant, acknowledged }: Row) => {
  const { state, since, parked, actor } = status;
  const { tenantId: id, category, destination } = target;
  return [
    ...[id, tenant?.name, category, destination.kind],
    ...[
      state,
      since,
      parked,
      givenUpText(status) ?? 0,
      actor,
      acknowledged && acknowledgedText(acknowledged),
    ],
  ];
};
