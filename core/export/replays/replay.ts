import * as v from 'valibot';
import { isPlace } from '../kinds/records.ts';
import { isReplayLane, type Lane } from '../targets/lanes.ts';
import { hourOf } from '../../events/event-keys.ts';
import { retention } from '../../kernel/retention.ts';
import { isWaiting, type Target } from '../targets/target.ts';
import { isTargetName, type TargetRef } from '../../events/target-ref.ts';

const time = v.pipe(v.number(), v.integer(), v.minValue(0));
const hour = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d$/));

const range = v.object({ from: time, to: time });

/** A UUID is the same in upper and in lower case (RFC 9562). */
const eventIds = v.pipe(v.array(v.pipe(v.string(), v.uuid(), v.toLowerCase())), v.minLength(1));

/** The position of a replay: behind `after` in a shard of an hour of acceptance. An ordering key has the same shard in every hour. */
const cursor = v.object({
  hour,
  shard: v.pipe(v.number(), v.integer(), v.minValue(0)),
  after: v.optional(v.string()),
  /** Events that were sent before it. */
  sent: v.number(),
});

export type Cursor = v.InferOutput<typeof cursor>;

/**
 * Events of a tenant and category that are sent to their target once more, with the same ids. They were accepted from `from`
 * on and before `to`, in milliseconds since 1970. The time of acceptance counts, because it orders the archive. Producers
 * choose the events' own `occurredTime`.
 */
export const replay = v.object({
  replayId: v.pipe(v.string(), v.uuid()),
  tenantId: v.pipe(v.string(), v.uuid()),
  category: v.custom<TargetRef['category']>(isTargetName),
  from: time,
  to: time,
  /** Only these types, if the target wants them. */
  types: v.optional(v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1))),
  /** Only these events, by their ids in lower case. */
  eventIds: v.optional(eventIds),
  /** Only what was accepted in these ranges, in which events were given up; and how many those were, if that is known. */
  givenUp: v.optional(
    v.object({ ranges: v.pipe(v.array(range), v.minLength(1)), count: v.optional(v.number()) }),
  ),
  /** About the most events of a step: events that were accepted together stay together. */
  portion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  cursor: v.optional(cursor),
});

export type Replay = v.InferOutput<typeof replay>;

/** `done`: everything is parked for delivery, behind the other waiting events of the target. */
export const replayStates = ['running', 'done', 'failed'] as const;
export type ReplayState = (typeof replayStates)[number];

/** The current position of a replay. */
export const placeOf = ({ from, cursor: at }: Replay): Cursor =>
  at ?? { hour: hourOf(from), shard: 0, sent: 0 };

/** As text that sorts in the order of a replay. */
export const positionOf = ({ hour: at, shard, after = '' }: Cursor): string =>
  [at, String(shard).padStart(3, '0'), after].join('#');

/** Why a replay cannot send any event, if so. */
export function refusalOf({ from, to }: Replay, target: Target | undefined, now: number): string | undefined {
  if (from >= to) return 'The time range is empty: its end must be after its beginning.';
  if (to <= now - retention.event)
    return 'The time range ended more than 14 days ago: its events are no longer stored.';
  if (!target) return 'The tenant has no target for this category. Register one first.';
  if (!isPlace(target.destination))
    return 'The destination of this target is none. Register another one first.';
  return undefined;
}

/**
 * True if a portion still waits to be delivered. The next one is not added yet, so that replayed events take little room
 * beside new ones. A portion that waits longer than a queue keeps messages is lost, and holds nothing back.
 */
export function isHeldBack(target: Target, now: number): boolean {
  const isUnderWay = (lane: Lane): boolean =>
    isWaiting(target, lane) && now - (target.waitingSince[lane] ?? now) < retention.waiting;
  return Object.keys(target.parkedThrough).some((lane) => isReplayLane(lane) && isUnderWay(lane));
}
