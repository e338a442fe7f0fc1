import type { Producer } from '../../events/event.ts';
import { isStreamName } from '../../events/target-ref.ts';
import type { OwnEvents } from '../../events/own-event-store.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import type { TargetStore } from '../targets/target-store.ts';
import type { WatchedBuckets } from '../targets/watched-bucket-store.ts';
import { openLosses, type Target } from '../targets/target.ts';
import type { AilingTargets } from './ailing-target-store.ts';
import { isForLog, stateChangedEvent, stateMove, type Change } from './state-change.ts';
import { tellOfTarget, type TellDeps } from './tell-of-target.ts';
import { isAiling, waitsForTenant } from './trouble.ts';

export type ChangeDeps = TellDeps & {
  targets: Pick<TargetStore, 'find'>;
  ailing: Pick<AilingTargets, 'add'>;
  watched: Pick<WatchedBuckets, 'add'>;
  events: Pick<OwnEvents, 'record'>;
  producer: Producer;
};

const isIncomplete = (target: Target | undefined): boolean =>
  target !== undefined && openLosses(target).length > 0;

/**
 * Records the event of an export's new state, and tells the operator of it. Both may happen again without effect, as the event
 * is the same each time.
 *
 * @throws if a part of it failed: the change must come again
 */
export async function recordChange(deps: ChangeDeps, change: Change): Promise<void> {
  const { ref, before, after } = change;
  // Before all else: from now on the clock finds it, whatever happens here.
  if (isAiling(after) && !isAiling(before)) await deps.ailing.add(ref, Date.now());
  // The alarm on incomplete buckets knows of it within a minute, whoever found the loss.
  if (isIncomplete(after) && !isIncomplete(before)) await deps.watched.add(ref);
  // The receiver of a stream of signals asks for its status, and changes it.
  const move = isStreamName(ref.category) ? undefined : stateMove(change);
  if (!move) return;
  const event = stateChangedEvent(change, move, deps.producer);
  if (isForLog(change, move)) await deps.events.record(event, Date.now());
  await deps.bus.put('Export Target State Changed', event);
}

/** Who must act is another one than before. */
export const changesTrouble = ({ before, after, at }: Change): boolean =>
  waitsForTenant(before, at) !== waitsForTenant(after, at);

/** By the target as it is now. What fails is done by the clock. */
export async function tellOfChange(deps: ChangeDeps, { ref }: Change): Promise<void> {
  try {
    await tellOfTarget(deps, ref, await deps.targets.find(ref), Date.now());
  } catch (error) {
    logger.warn('notice left to the clock', { ...ref, fault: describeFault(error) });
  }
}
