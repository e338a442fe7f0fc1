import { setTimeout } from 'node:timers/promises';
import { ReplayQueue } from '../../core/export/replays/replay-queue.ts';
import { ReplayStore, type ReplayProgress } from '../../core/export/replays/replay-store.ts';
import { rfc3339, seconds } from '../../core/kernel/time.ts';
import {
  ReplayRefused,
  type ReplayRequest,
  startReplay as beginReplay,
} from '../../core/export/replays/start-replay.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { refOf, type TargetOptions, targetStore } from '../targets/targets-store.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { fields } from '../text-table.ts';

type Options = TargetOptions & {
  from: number;
  to: number;
  type?: string[];
  portion?: number;
  wait: boolean;
};
type Ref = Pick<ReplayProgress, 'tenantId' | 'replayId'>;

const betweenLooks = seconds;

const replayStore = ({ clients, tables }: Deployment): ReplayStore =>
  new ReplayStore(clients.dynamodb, tables.tenants);

export async function replay(session: Session, options: Options): Promise<void> {
  if (options.from >= options.to)
    throw new UsageError('The time range is empty: expected a time in --to that is after --from.');
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const { from, to, type: types, portion } = options;
  const replayId = await startReplay(deployment, { ...refOf(options), from, to, types, portion });
  session.note(`The replay ${replayId} has begun.`);
  const ref = { tenantId: options.tenant, replayId };
  const progress = options.wait
    ? await follow(session, deployment, ref)
    : await replayProgress(deployment, ref);
  session.print(replayView(progress), fields(replayView(progress)));
  if (progress.state === 'failed') throw new CommandError(`The replay failed: ${progress.reason ?? ''}`);
}

/** @returns the replay's id */
export async function startReplay(deployment: Deployment, request: ReplayRequest): Promise<string> {
  const queue = new ReplayQueue(deployment.clients.sqs, await deployment.queueUrl('replays'));
  const deps = { targets: targetStore(deployment), replays: replayStore(deployment), queue };
  try {
    return await beginReplay(deps, request);
  } catch (error) {
    if (error instanceof ReplayRefused) throw new CommandError(error.message);
    throw error;
  }
}

export async function replayProgress(deployment: Deployment, ref: Ref): Promise<ReplayProgress> {
  const progress = await replayStore(deployment).find(ref);
  if (progress) return progress;
  throw new CommandError(`The replay ${ref.replayId} was ended: its item is gone.`);
}

async function follow(session: Session, deployment: Deployment, ref: Ref): Promise<ReplayProgress> {
  let told = '';
  for (;;) {
    const progress = await replayProgress(deployment, ref);
    if (progress.state !== 'running') return progress;
    const line = `${progress.eventsSent} events are on their way; it has come to ${progress.cursorHour} UTC`;
    if (line !== told) session.note(line);
    told = line;
    await setTimeout(betweenLooks);
  }
}

/** What scripts get of a replay. */
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
