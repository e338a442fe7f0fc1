import { setTimeout } from 'node:timers/promises';
import { Option } from 'commander';
import type { ReplayProgress } from '../../core/export/replays/replay-store.ts';
import { retention } from '../../core/kernel/retention.ts';
import { rfc3339, seconds } from '../../core/kernel/time.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { requireKnownTypes } from '../event-types.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { numberOption, typeOption } from '../options.ts';
import type { Session } from '../session.ts';
import { refOf, requireTarget, type TargetOptions } from '../targets/target-record.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { fields } from '../text-table.ts';
import { timeOption } from '../time-option.ts';
import { progressOf, requestReplay } from './replay-run.ts';

type Options = TargetOptions & {
  from?: number;
  to?: number;
  givenUp?: boolean;
  type?: string[];
  portion?: number;
  wait: boolean;
};

const exampleRange = `${exampleTenant} public --from 2026-03-01T08:00:00Z --to 2026-03-01T10:00:00Z`;

export const replayCommand = defineCommand<Options>({
  name: 'replay',
  description:
    'Sends events to their target again, with the same event ids. The range is that of the times of acceptance, at most ' +
    '14 days ago. The replay continues if this command ends.',
  ids: [tenantId, categoryId],
  options: [
    timeOption('--from <time>', 'first time of acceptance').makeOptionMandatory(false),
    timeOption('--to <time>', 'end of the range, not included').makeOptionMandatory(false),
    new Option(
      '--given-up',
      'instead of --from and --to: everything that "target status" says did not reach the bucket',
    ),
    typeOption('only events of these types (default: all)'),
    numberOption(
      '--portion <events>',
      'about how many events to send at once. The next portion is sent when the previous one is delivered (default: 4 MB of events)',
      { from: 1, example: 100 },
    ),
    new Option('--no-wait', 'do not wait until the replay is done'),
  ],
  examples: [
    `replay ${exampleRange}`,
    `replay ${exampleRange} --type UserSignedInEvent --no-wait`,
    `replay ${exampleRange} --portion 100`,
    `replay ${exampleTenant} log --given-up`,
  ],
  run: replay,
});

async function replay(session: Session, options: Options): Promise<void> {
  const { type: types, portion } = options;
  requireRange(options);
  requireKnownTypes(options);
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const range = await rangeOf(deployment, options);
  if (!range) {
    session.print(
      { state: 'done', eventsSent: 0 },
      'No events were given up, so there is nothing to replay.',
    );
    return;
  }
  const { from, to } = range;
  const replayId = await requestReplay(deployment, { ...refOf(options), from, to, types, portion });
  session.note(`The replay ${replayId} has begun.`);
  const oldest = Date.now() - retention.event;
  if (from < oldest)
    session.note(`Events are kept for 14 days, so the replay sends those since ${rfc3339(oldest)}.`);
  const ref = { tenantId: options.tenant, replayId };
  const progress = options.wait ? await follow(session, deployment, ref) : await progressOf(deployment, ref);
  session.print(replayView(progress), fields(replayView(progress)));
  if (progress.state === 'failed') throw new CommandError(`The replay failed: ${progress.reason ?? ''}`);
}

function requireRange({ from, to, givenUp, type }: Options): void {
  if (givenUp) {
    if (from === undefined && to === undefined && !type) return;
    throw new UsageError(
      '--given-up has its own time range, and all types: leave out --from, --to and --type.',
    );
  }
  if (from === undefined || to === undefined)
    throw new UsageError('Give the time range with --from and --to, or pass --given-up.');
  if (from >= to) throw new UsageError('The time range is empty: --to must be later than --from.');
}

/** @returns nothing if nothing was given up */
async function rangeOf(
  deployment: Deployment,
  options: Options,
): Promise<{ from: number; to: number } | undefined> {
  const { from = 0, to = 0 } = options;
  if (!options.givenUp) return { from, to };
  const { givenUp = [] } = await requireTarget(deployment, refOf(options));
  if (givenUp.length === 0) return undefined;
  const end = Math.max(...givenUp.map((one) => one.to));
  // S3 tells whole seconds, so what was just given up may end within the next one.
  await setTimeout(Math.max(0, end - Date.now()));
  return { from: Math.min(...givenUp.map((one) => one.from)), to: end };
}

async function follow(
  session: Session,
  deployment: Deployment,
  ref: Parameters<typeof progressOf>[1],
): Promise<ReplayProgress> {
  let printed = '';
  for (;;) {
    const progress = await progressOf(deployment, ref);
    if (progress.state !== 'running') return progress;
    const line = describeProgress(progress);
    if (line !== printed) session.note(line);
    printed = line;
    await setTimeout(seconds);
  }
}

/** @param cursorHour as the table has it, for example `2026-11-21T23` */
export const describeProgress = ({
  eventsSent,
  cursorHour,
}: Pick<ReplayProgress, 'eventsSent' | 'cursorHour'>): string =>
  `${eventsSent} events sent, processed up to ${cursorHour.replace('T', ' ')}:00 UTC`;

/** A replay as JSON. */
const replayView = (progress: ReplayProgress) => ({
  replayId: progress.replayId,
  tenantId: progress.tenantId,
  category: progress.category,
  from: rfc3339(progress.from),
  to: rfc3339(progress.to),
  state: progress.state,
  eventsSent: progress.eventsSent,
  steps: progress.steps,
  ...(progress.reason !== undefined && { reason: progress.reason }),
});
