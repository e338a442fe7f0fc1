import { setTimeout } from 'node:timers/promises';
import { Option } from 'commander';
import * as v from 'valibot';
import { isStreamName, streamName, type TargetRef } from '../../core/events/target-ref.ts';
import type { ReplayProgress } from '../../core/export/replays/replay-store.ts';
import { replayOfGivenUp, type GivenUpReplay } from '../../core/export/replays/given-up-replay.ts';
import { retention } from '../../core/kernel/retention.ts';
import { rfc3339, seconds } from '../../core/kernel/time.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { topCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { requireKnownTypes } from '../event-types.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { listOption, numberOption, typeOption } from '../options.ts';
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
  eventId?: string[];
  portion?: number;
  stream?: string;
  wait: boolean;
};

const exampleEvent = '0197f2a4-5bd0-7e11-8c3d-94d2b1a0f6e3';
const exampleRange = `${exampleTenant} public --from 2026-03-01T08:00:00Z --to 2026-03-01T10:00:00Z`;

export const replayCommand = topCommand<Options>({
  ids: [tenantId, categoryId],
  options: [
    timeOption('--from <time>', 'first time of acceptance').makeOptionMandatory(false),
    timeOption('--to <time>', 'end of the range, not included').makeOptionMandatory(false),
    new Option(
      '--given-up',
      'instead of --from and --to: everything that "target status" says did not arrive',
    ),
    typeOption('only events of these types (default: all)'),
    listOption(
      '--event-id <event id...>',
      'only these events (default: all). Without --from and --to they are looked for in all 14 days',
      v.pipe(v.string(), v.uuid()),
      { expected: 'the id of an event, which is a UUID', example: exampleEvent },
    ),
    numberOption(
      '--portion <events>',
      'about how many events to send at once. The next portion is sent when the previous one is delivered (default: 4 MB of events)',
      { from: 1, example: 100 },
    ),
    new Option(
      '--stream <stream id>',
      'to this stream of signals of the tenant alone, in place of the target. The category is public',
    ).conflicts('givenUp'),
    new Option('--no-wait', 'do not wait until the replay is done'),
  ],
  examples: [
    `replay ${exampleRange}`,
    `replay ${exampleRange} --type UserSignedInEvent --no-wait`,
    `replay ${exampleRange} --portion 100`,
    `replay ${exampleTenant} public --event-id ${exampleEvent}`,
    `replay ${exampleTenant} log --given-up`,
  ],
  run: replay,
});

async function replay(session: Session, options: Options): Promise<void> {
  requireRange(options);
  requireKnownTypes(options);
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const range = options.givenUp ? await givenUpRange(session, deployment, options) : chosenRange(options);
  if (!range) return;
  const progress = await replayRange(session, deployment, options, range);
  session.print(replayView(progress), fields(replayView(progress)));
  requireSuccess(progress);
}

type Range = { from: number; to: number };

/** Only events that are named need no range. */
function chosenRange({ from, to }: Options): Range {
  const now = Date.now();
  return { from: from ?? now - retention.event, to: to ?? now };
}

async function replayRange(
  session: Session,
  deployment: Deployment,
  options: Options,
  range: Range | GivenUpReplay,
): Promise<ReplayProgress> {
  const { type: types, eventId: eventIds, portion } = options;
  const { from } = range;
  const replayId = await requestReplay(deployment, {
    ...replayedTo(options),
    ...{ ...range, types, eventIds, portion },
  });
  session.note(`The replay ${replayId} has begun.`);
  const oldest = Date.now() - retention.event;
  if (from < oldest)
    session.note(`Events are kept for 14 days, so the replay sends those since ${rfc3339(oldest)}.`);
  const ref = { tenantId: options.tenant, replayId };
  return options.wait ? await follow(session, deployment, ref) : await progressOf(deployment, ref);
}

function replayedTo(options: Options): TargetRef {
  const { tenant, category, stream } = options;
  if (stream === undefined) return refOf(options);
  const name = streamName(stream);
  if (category === 'public' && isStreamName(name)) return { tenantId: tenant, category: name };
  throw new UsageError('Signals are made of public events: pass the category public and the id of a stream.');
}

function requireSuccess({ state, reason = '' }: ReplayProgress): void {
  if (state === 'failed') throw new CommandError(`The replay failed: ${reason}`);
}

/** @returns nothing if no event was given up */
async function givenUpRange(
  session: Session,
  deployment: Deployment,
  options: Options,
): Promise<GivenUpReplay | undefined> {
  const replay = replayOfGivenUp(await requireTarget(deployment, refOf(options)));
  if (replay) {
    const { ranges, count = 'some' } = replay.givenUp;
    session.note(
      `${count} events were given up, in ${ranges.length === 1 ? 'one range' : `${ranges.length} ranges`} of time. The replay sends all that were accepted in it; consumers drop by "eventId" those that they have.`,
    );
  } else
    session.print(
      { state: 'done', eventsSent: 0 },
      'No events were given up, so there is nothing to replay.',
    );
  return replay;
}

function requireRange({ from, to, givenUp, type, eventId }: Options): void {
  if (givenUp) {
    if (from === undefined && to === undefined && !type && !eventId) return;
    throw new UsageError(
      '--given-up has its own time range, and all events: leave out --from, --to, --type and --event-id.',
    );
  }
  if (eventId && from === undefined && to === undefined) return;
  if (from === undefined || to === undefined)
    throw new UsageError('Give the time range with --from and --to, or pass --event-id or --given-up.');
  if (from >= to) throw new UsageError('The time range is empty: --to must be later than --from.');
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
  ...(progress.givenUp?.count !== undefined && { count: progress.givenUp.count }),
  ...(progress.reason !== undefined && { reason: progress.reason }),
});
