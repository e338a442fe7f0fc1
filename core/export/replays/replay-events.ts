import type { ReplayQueue } from './replay-queue.ts';
import type { ReplayProgress, ReplayStore } from './replay-store.ts';
import type { GivenUpEvents } from '../targets/given-up-store.ts';
import type { TargetStore } from '../targets/target-store.ts';
import { isHeldBack, placeOf, positionOf, refusalOf, type Replay } from './replay.ts';
import { isOpen, type Target } from '../targets/target.ts';
import { logger } from '../../kernel/observability.ts';
import { seconds } from '../../kernel/time.ts';
import { parkPortion, readPortion, type PortionDeps, type PortionLimits } from './replay-portion.ts';

export type ReplayDeps = PortionDeps & {
  targets: Pick<TargetStore, 'find' | 'queue'>;
  replays: Pick<ReplayStore, 'find' | 'advance' | 'finish' | 'fail'>;
  reports: Pick<GivenUpEvents, 'replayed'>;
  queue: Pick<ReplayQueue, 'send'>;
};

/**
 * Seconds from one step to the next: after a portion, while one is being delivered (at most), and while the target takes no
 * events. `index`: seconds after which the index, which follows the table with a delay, has the last events of a range.
 */
export type ReplayPace = PortionLimits & { next: number; busy: number; closed: number; index: number };

/** A portion is delivered before the next one is parked. A small stream takes 4 MB in a few seconds. */
export const replayPace: Omit<ReplayPace, 'index'> = {
  bytes: 4_000_000,
  reading: 10_000,
  parking: 10_000,
  next: 1,
  busy: 5,
  closed: 60,
};

/**
 * A waiting message is held by its visibility timeout, and counts as received each time. After this many receives it is sent
 * again, long before the queue makes it a dead letter or its retention of 14 days ends.
 */
export const receivesOfAMessage = 100;

/** A replay's message, and how often it was received, this time included. */
export type ReplayMessage = { replay: Replay; receives: number };

/** True if a later step has been here, or an operator ended the replay. */
function isOver(progress: ReplayProgress | undefined, replay: Replay): boolean {
  return progress?.state !== 'running' || progress.position > positionOf(placeOf(replay));
}

/**
 * The next message is sent before the progress is written. If a step dies between the two, both messages come, and the older
 * one is dropped.
 */
async function goOn(deps: ReplayDeps, replay: Replay, target: Target, pace: ReplayPace): Promise<void> {
  const { events, next } = await readPortion(deps, replay, target, pace);
  if (events.length > 0) await parkPortion(deps, replay, target, events, pace);
  const sent = placeOf(replay).sent + events.length;
  if (next) {
    await deps.queue.send({ ...replay, cursor: next }, events.length > 0 ? pace.next : 0);
    await deps.replays.advance(replay, next, Date.now());
  } else {
    // A part of the types or events does not make it complete.
    const complete = (replay.types ?? replay.eventIds) ? [] : (replay.givenUp?.ranges ?? [replay]);
    for (const range of complete) await deps.reports.replayed(replay, range);
    await deps.replays.finish(replay, sent, Date.now());
  }
  const { replayId, tenantId, category } = replay;
  logger.info('replayed', { replayId, tenantId, category, events: events.length, sent, isDone: !next });
}

/**
 * Waits for the delivery of the portion before. It rarely sends a message, because Lambda counts those of a chain.
 *
 * @returns seconds until the message comes again, or nothing if a new message replaces it
 */
async function wait(
  deps: ReplayDeps,
  { replay, receives }: ReplayMessage,
  target: Target,
  pace: ReplayPace,
): Promise<number | undefined> {
  const isSoon = isOpen(target) && target.state !== 'parked';
  const pause = isSoon ? Math.min(pace.busy, receives) : pace.closed;
  if (receives < receivesOfAMessage) return pause;
  await deps.queue.send(replay, pause);
  return undefined;
}

/**
 * One step of a replay. It parks a portion, which the redelivery delivers with its care for faults and order, or waits while
 * the portion before it is there.
 *
 * A step that dies is repeated as a whole. Consumers then get its events twice, and drop the duplicates by their ids.
 *
 * @returns in how many seconds the same message comes again; nothing if it is done
 */
export async function replayEvents(
  deps: ReplayDeps,
  message: ReplayMessage,
  pace: ReplayPace,
): Promise<number | undefined> {
  const { replay } = message;
  const early = Math.ceil((replay.to - Date.now()) / seconds) + pace.index;
  if (early > 0) return early;
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
