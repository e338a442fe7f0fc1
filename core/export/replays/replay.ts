import * as v from 'valibot';
import { isReplayLane, type Lane } from '../targets/lanes.ts';
import { retention } from '../../kernel/retention.ts';
import { isWaiting, type Target } from '../targets/target.ts';
import { categories } from '../../events/target-ref.ts';
import { hours } from '../../kernel/time.ts';

const time = v.pipe(v.number(), v.integer(), v.minValue(0));
const hour = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d$/));

/** Where a replay goes on: behind `after` in a shard of an hour of the archive. */
const cursor = v.object({
  hour,
  shard: v.pipe(v.number(), v.integer(), v.minValue(0)),
  after: v.optional(v.string()),
  /** Events that were sent before it. */
  sent: v.number(),
});

export type Cursor = v.InferOutput<typeof cursor>;

/**
 * Events that are sent to their target once more, under the ids that they have: those of a tenant and category that were
 * accepted from `from` on and before `to`, in milliseconds since 1970. It is the time of acceptance that counts, by which
 * the archive is in order, and not the events' own `occurredTime`, which producers choose.
 */
export const replay = v.object({
  replayId: v.pipe(v.string(), v.uuid()),
  tenantId: v.pipe(v.string(), v.uuid()),
  category: v.picklist(categories),
  from: time,
  to: time,
  /** Only these, of those that the target wants. */
  types: v.optional(v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1))),
  /** About how many events a step takes at most: what was accepted together stays together. */
  portion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  cursor: v.optional(cursor),
});

export type Replay = v.InferOutput<typeof replay>;

/** How far it is. `done`: everything is on its way, behind what else waits for the target. */
export const replayStates = ['running', 'done', 'failed'] as const;
export type ReplayState = (typeof replayStates)[number];

const hourAt = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13);

/** Where a replay begins, or is. */
export const placeOf = ({ from, cursor: at }: Replay): Cursor =>
  at ?? { hour: hourAt(from), shard: 0, sent: 0 };

/** As text that sorts as replays advance. */
export const positionOf = ({ hour: at, shard, after = '' }: Cursor): string =>
  [at, String(shard).padStart(3, '0'), after].join('#');

/** The next shard, or the first of the next hour; nothing at the end. An ordering key keeps to one shard, hour after hour. */
export function nextShard(
  { to }: Replay,
  { hour: at, shard, sent }: Cursor,
  shards: number,
): Cursor | undefined {
  if (shard + 1 < shards) return { hour: at, shard: shard + 1, sent };
  const next = Date.parse(`${at}:00:00Z`) + hours;
  return next < to ? { hour: hourAt(next), shard: 0, sent } : undefined;
}

/** Why a replay can send nothing, if it can not. */
export function refusalOf({ from, to }: Replay, target: Target | undefined, now: number): string | undefined {
  if (from >= to) return 'The time range is empty: its end is not behind its beginning.';
  if (to <= now - retention.event)
    return 'The time range is over for more than 14 days: its events are no longer kept.';
  if (!target) return 'The tenant has no target for this category: register one first.';
  if (target.destination.kind === 'none')
    return 'The target of this category is none, so there is nowhere to send events to: register a stream or a bucket first.';
  return undefined;
}

/**
 * Whether a portion still waits to be delivered, so that the next must not be added to it yet: what is sent once more
 * takes little room beside what is new. One that waits longer than a queue keeps messages is lost, and waits for nothing.
 */
export function isHeldBack(target: Target, now: number): boolean {
  const isUnderWay = (lane: Lane): boolean =>
    isWaiting(target, lane) && now - (target.waitingSince[lane] ?? now) < retention.waiting;
  return Object.keys(target.parkedThrough).some((lane) => isReplayLane(lane) && isUnderWay(lane));
}
