import { Option } from 'commander';
import { describeTargetStatus, givenUpText } from '../../core/export/targets/target-status.ts';
import { states, type Target, type TargetState } from '../../core/export/targets/target.ts';
import { kinds, type Destination } from '../../core/export/kinds/records.ts';
import type { Category } from '../../core/events/target-ref.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { requireWellFormed } from './catalogue-store.ts';
import { targetView } from './describe-target.ts';
import { findTargets } from './status.ts';
import { summarize } from './summary.ts';

type Options = {
  tenant?: string;
  category?: Category;
  state?: TargetState[];
  kind?: Destination['kind'];
  waiting?: true;
};

export const listTargetsCommand = defineCommand<Options>({
  name: 'list',
  description: 'Lists targets, one on each line, for stages with many of them.',
  optionalIds: [tenantId, categoryId],
  options: [
    new Option('--state <state...>', 'only targets in these states').choices(states),
    new Option('--kind <kind>', 'only targets of this kind').choices([...kinds, 'none']),
    new Option('--waiting', 'only targets for which events wait'),
  ],
  examples: [
    'target list',
    'target list --state parked validating --waiting',
    `target list ${exampleTenant} --json`,
  ],
  run: listTargets,
});

const isWanted = (target: Target, { state, kind, waiting }: Options, now: number): boolean =>
  (state?.includes(target.state) ?? true) &&
  (kind === undefined || target.destination.kind === kind) &&
  (!waiting || describeTargetStatus(target, now).parked > 0);

async function listTargets(session: Session, options: Options): Promise<void> {
  const catalogue = await findTargets(await session.deployment(), options);
  const now = Date.now();
  const targets = catalogue.targets.filter((target) => isWanted(target, options, now));
  session.print(
    targets.map((target) => targetView(target, now)),
    `${table(['TENANT', 'CATEGORY', 'KIND', 'STATE', 'SINCE', 'WAITING', 'GIVEN UP', 'ACTION BY'], rowsOf(targets, now))}\n\n${summarize(targets)}`,
  );
  requireWellFormed(catalogue);
}

const rowsOf = (targets: readonly Target[], now: number) =>
  targets.map((target) => {
    const status = describeTargetStatus(target, now);
    const { state, since, parked, actor } = status;
    const { tenantId: tenant, category, destination } = target;
    return [tenant, category, destination.kind, state, since, parked, givenUpText(status) ?? 0, actor];
  });
