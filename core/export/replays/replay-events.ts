import type { ReplayQueue } from './replay-queue.ts';
import type { ReplayProgress, ReplayStore } from './replay-store.ts';
import type { TargetStore } from '../targets/target-store.ts';
import { isHeldBack, placeOf, positionOf, refusalOf, type Replay } from './replay.ts';
import { isOpen, type Target } from '../targets/target.ts';
import { logger } from '../../kernel/observability.ts';
import { parkPortion, readPortion, type PortionDeps, type PortionLimits } from './replay-portion.ts';

export type ReplayDeps = PortionDeps & {
  targets: Pick<TargetStore, 'find'>;
  replays: Pick<ReplayStore, 'find' | 'advance' | 'finish' | 'fail'>;
  queue: Pick<ReplayQueue, 'send'>;
};

/**
 * Seconds from one step to the next: behind a portion, while one is being delivered (at most), and while somebody must
 * act.
 */
export type ReplayPace = PortionLimits & { next: number; busy: number; closed: number };

/** A portion is delivered before the next one comes: 4 MB are what a small stream takes in a few seconds. */
export const replayPace: ReplayPace = {
  bytes: 4_000_000,
  reading: 10_000,
  parking: 10_000,
  next: 1,
  busy: 5,
  closed: 60,
};

/**
 * A message that waits is held by its visibility timeout, which counts as a receive each time. One that was taken this often
 * is sent anew: long before the queue gives it up, and before its 14 days in the queue are over.
 */
export const receivesOfAMessage = 100;

/** A replay's message, and how often it was taken from the queue, this time included. */
export type ReplayMessage = { replay: Replay; receives: number };

/** What a later step has done, or an operator ended, is not done again. */
function isOver(progress: ReplayProgress | undefined, replay: Replay): boolean {
  return progress?.state !== 'running' || progress.position > positionOf(placeOf(replay));
}

/**
 * The next message goes before the progress is written: where a step dies between the two, both messages come, and the
 * one that is behind is dropped.
 */
async function goOn(deps: ReplayDeps, replay: Replay, target: Target, pace: ReplayPace): Promise<void> {
  const { events, next } = await readPortion(deps, replay, target, pace);
  if (events.length > 0) await parkPortion(deps, replay, target, events, pace);
  const sent = placeOf(replay).sent + events.length;
  if (next) {
    await deps.queue.send({ ...replay, cursor: next }, events.length > 0 ? pace.next : 0);
    await deps.replays.advance(replay, next, Date.now());
  } else {
    await deps.replays.finish(replay, sent, Date.now());
  }
  const { replayId, tenantId, category } = replay;
  logger.info('replayed', { replayId, tenantId, category, events: events.length, sent, isDone: !next });
}

/**
 * Behind a portion that is not delivered yet. A hop through the queue is rare here: Lambda counts them.
 *
 * @returns seconds until somebody is to look again, or nothing where a new message stands for this one
 */
async function wait(
  deps: ReplayDeps,
  { replay, receives }: ReplayMessage,
  target: Target,
  pace: ReplayPace,
): Promise<number | undefined> {
  const isSoon = isOpen(target) && target.state !== 'parked';
  const seconds = isSoon ? Math.min(pace.busy, receives) : pace.closed;
  if (receives < receivesOfAMessage) return seconds;
  await deps.queue.send(replay, seconds);
  return undefined;
}

/**
 * One step of a replay: puts a portion of it into the parking queue, from where the redelivery takes it to its target with
 * all its care for faults and order; or waits, while the portion before it is there.
 *
 * A step that dies is repeated whole. Consumers then get its events twice, and drop them by their ids.
 *
 * @returns in how many seconds the same message is to come again; nothing where it is done
 */
export async function replayEvents(
  deps: ReplayDeps,
  message: ReplayMessage,
  pace = replayPace,
): Promise<number | undefined> {
  const { replay } = message;
  const { replayId, tenantId, category } = replay;
  if (isOver(await deps.replays.find(replay), replay)) {
    logger.info('replay is over', { replayId, tenantId, category });
    return undefined;
  }
  const target = await deps.targets.find(replay);
  const reason = refusalOf(replay, target, Date.now());
  if (!target || reason !== undefined) {
    logger.error('replay failed', { replayId, tenantId, category, reason });
    await deps.replays.fail(replay, reason ?? '', Date.now());
  } else if (isHeldBack(target, Date.now())) {
    return await wait(deps, message, target, pace);
  } else {
    await goOn(deps, replay, target, pace);
  }
  return undefined;
}
