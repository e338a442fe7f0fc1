import type { Producer } from '../../events/event.ts';
import { hourOf } from '../../events/event-keys.ts';
import type { OwnEvents } from '../../events/own-event-store.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { checkpointEvent } from './checkpoint-event.ts';
import type { GrownLog, GrownLogStore } from './grown-log-store.ts';
import { servedCheckpoint, type CheckpointDeps } from './served-checkpoint.ts';

export type HourlyDeps = {
  checkpoints: CheckpointDeps;
  grown: Pick<GrownLogStore, 'before' | 'remove'>;
  events: Pick<OwnEvents, 'record'>;
  producer: Producer;
};

const logsAtOnce = 20;

/**
 * Records the checkpoint of each log that has grown in an hour that is over, so that its tenant gets it. A fault leaves the
 * others alone, and the next call repeats it. An hour has one event: its id is always the same, and what was recorded first stays,
 * also if the log has grown since.
 *
 * @throws {Error} if a checkpoint could not be recorded
 */
export async function recordCheckpoints(deps: HourlyDeps, now: number): Promise<void> {
  const due = await deps.grown.before(hourOf(now));
  const failed = await mapConcurrent(due, logsAtOnce, async (one) => await record(deps, one, now));
  if (failed.some(Boolean)) throw new Error('Checkpoints were not recorded.');
}

/** @returns true if it failed */
async function record(deps: HourlyDeps, grown: GrownLog, now: number): Promise<boolean> {
  try {
    const { signed } = await servedCheckpoint(deps.checkpoints, grown.ref);
    await deps.events.record(checkpointEvent(grown, signed, deps.producer, now), now);
    await deps.grown.remove(grown);
    return false;
  } catch (error) {
    logger.error('checkpoint not recorded', { ...grown.ref, fault: describeFault(error) });
    return true;
  }
}
