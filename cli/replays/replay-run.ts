import { ReplayQueue } from '../../core/export/replays/replay-queue.ts';
import { ReplayStore, type ReplayProgress } from '../../core/export/replays/replay-store.ts';
import { ReplayRefused, type ReplayRequest, startReplay } from '../../core/export/replays/start-replay.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { targetStoreOf } from '../targets/target-record.ts';

const replayStoreOf = ({ clients, tables }: Deployment): ReplayStore =>
  new ReplayStore(clients.dynamodb, tables.tenants);

/**
 * Asks the service to replay events.
 *
 * @returns the replay's id
 */
export async function requestReplay(deployment: Deployment, request: ReplayRequest): Promise<string> {
  const queue = new ReplayQueue(deployment.clients.sqs, await deployment.queueUrl('replays'));
  const deps = { targets: targetStoreOf(deployment), replays: replayStoreOf(deployment), queue };
  try {
    return await startReplay(deps, request);
  } catch (error) {
    if (error instanceof ReplayRefused || error instanceof Refusal) throw new CommandError(error.message);
    throw error;
  }
}

export async function progressOf(
  deployment: Deployment,
  ref: Pick<ReplayProgress, 'tenantId' | 'replayId'>,
): Promise<ReplayProgress> {
  const progress = await replayStoreOf(deployment).find(ref);
  if (progress) return progress;
  throw new CommandError(`The replay ${ref.replayId} no longer exists.`);
}
