import { minutes, seconds } from '../../kernel/time.ts';
import { isReplayLane } from './lanes.ts';
import { isWaiting, type Target } from './target.ts';
import type { Fault, GivenUp, FirehoseProgress } from './target.ts';

/**
 * What is known of events between Firehose and the bucket. Firehose confirms events when it has them, and writes them
 * when its buffer is full or old. It reports an error, and reports nothing when it has written. So events count as written
 * when Firehose had time to write them and reported no error.
 */
type Tracked = Pick<
  Target,
  | 'deliveredCount'
  | 'replayedCount'
  | 'firehoseProgress'
  | 'bucketTrouble'
  | 'bufferSeconds'
  | 'lostCount'
  | 'parkedThrough'
  | 'drainedThrough'
  | 'waitingSince'
  | 'replayFrom'
>;

/** Firehose's code if a delivery stream is gone. */
export const goneCode = 'ResourceNotFoundException';

/** The default of Firehose. */
const defaultBufferSeconds = 300;

/**
 * Milliseconds after which Firehose has written an event, or has reported an error: its buffer's time, and a reserve for
 * the call to S3 and for the report.
 */
export const writingTime = ({
  bufferSeconds = defaultBufferSeconds,
}: Pick<Target, 'bufferSeconds'>): number =>
  bufferSeconds * seconds + Math.min(2 * minutes, Math.max(5 * seconds, 0.4 * bufferSeconds * seconds));

/** How many events Firehose got, replayed ones included. */
export const firehoseCount = ({ deliveredCount, replayedCount = 0 }: Tracked): number =>
  deliveredCount + replayedCount;

/** How many events Firehose got before this time, at least. */
export function countBefore(target: Tracked, time: number): number {
  const { firehoseProgress } = target;
  if (!firehoseProgress || firehoseProgress.at < time) return firehoseCount(target);
  const { checkpoints } = firehoseProgress;
  return (checkpoints.find(({ at }) => at < time) ?? checkpoints.at(-1))?.count ?? 0;
}

/** No event that Firehose got after that many was accepted earlier than this, in milliseconds since 1970. */
export function acceptedSince({ firehoseProgress }: Tracked, count: number, now: number): number {
  const checkpoints = firehoseProgress?.checkpoints ?? [];
  const position = checkpoints.findIndex((one) => one.count <= count);
  const later = position === -1 ? checkpoints : checkpoints.slice(0, position + 1);
  return Math.min(now, ...later.map(({ since }) => since));
}

/** Events that Firehose has, and that are not known to be in the bucket. */
export function unwrittenCount(target: Tracked, now: number): number {
  const written = target.bucketTrouble?.writtenCount ?? countBefore(target, now - writingTime(target));
  return Math.max(0, firehoseCount(target) - written);
}

/** At most so many of the events that Firehose has were sent for the first time. What a replay sends again was delivered before. */
function firstSentCount(target: Tracked, unwritten: number): number {
  const { firehoseProgress, deliveredCount } = target;
  const written = firehoseCount(target) - unwritten;
  const known = firehoseProgress?.checkpoints.find(({ count }) => count <= written);
  return known ? Math.min(unwritten, deliveredCount - (known.count - known.replayed)) : unwritten;
}

/** How many of the delivered events are in the bucket. A replay does not lower it. */
export function inBucketCount(target: Tracked, delivered: number, now: number): number {
  const { lostCount = 0 } = target;
  return Math.max(0, delivered - firstSentCount(target, unwrittenCount(target, now)) - lostCount);
}

/** The most checkpoints in a target's record, so that it stays small. */
const most = 12;

/** The time of acceptance before which no waiting event was accepted. */
function oldestWaiting(target: Tracked, now: number): number {
  const lanes = Object.keys(target.parkedThrough).filter((lane) => isWaiting(target, lane));
  const since = lanes.map((lane) =>
    isReplayLane(lane) ? (target.replayFrom ?? now) : (target.waitingSince[lane] ?? now),
  );
  return Math.min(now, ...since);
}

/**
 * The target's record of what Firehose got, after it got more.
 *
 * @param target as it was read before
 * @param oldest when the oldest of the events was accepted, in milliseconds since 1970
 */
export function nextProgress(target: Tracked, oldest: number, now: number): FirehoseProgress {
  const since = Math.min(oldest, oldestWaiting(target, now));
  const [newest, ...earlier] = target.firehoseProgress?.checkpoints ?? [];
  const time = writingTime(target);
  // All that was counted until now came then, at the latest.
  const at = target.firehoseProgress?.at ?? 0;
  // After a pause, Firehose has written all that it had.
  const isWritten = now - at >= time && !target.bucketTrouble;
  if (newest && !isWritten && (at - newest.at < time / 3 || earlier.length + 1 >= most)) {
    const lowered = { ...newest, since: Math.min(newest.since, since) };
    return { at: now, checkpoints: [lowered, ...earlier] };
  }
  const before = newest ? [newest, ...earlier] : [];
  const added = [{ at, count: firehoseCount(target), replayed: target.replayedCount ?? 0, since }, ...before];
  // All that can still be asked for, and the one before.
  const needed = target.bucketTrouble ? most : added.findIndex((one) => one.at < now - time) + 1;
  return { at: now, checkpoints: needed > 0 ? added.slice(0, needed) : added };
}

/** What is found of events that Firehose got: so many were given up, of these times of acceptance. */
export type Loss = { given: GivenUp; count: number };

/** Events that were on their way to Firehose when its record was written may have been accepted a little earlier. */
const margin = 5 * minutes;

/** @returns nothing if no event was given up */
export function lossOf(
  { cause, count }: Pick<GivenUp, 'cause'> & { count: number },
  { from, to }: { from: number; to: number },
): Loss | undefined {
  if (count <= 0) return undefined;
  return { given: { cause, from: Math.max(0, from - margin), to, events: count }, count };
}

/**
 * What Firehose wrote under `errors/`.
 *
 * @param from when Firehose got the first of them
 * @param events how many they are, if that is known
 */
export function lossByErrors(
  target: Tracked,
  { from, to }: { from: number; to: number },
  events?: number,
): Loss {
  const oldest = acceptedSince(target, countBefore(target, from), from);
  const given: GivenUp = { cause: 'errors', from: Math.max(0, oldest - margin), to };
  return { given: events === undefined ? given : { ...given, events }, count: events ?? 0 };
}

/** What Firehose had when its delivery stream was deleted. Nobody knows when: it may have been right after the last event. */
export function lossByDeletion(target: Tracked, now: number): Loss | undefined {
  const { bucketTrouble, firehoseProgress } = target;
  if (!firehoseProgress) return undefined;
  const written =
    bucketTrouble?.writtenCount ?? countBefore(target, firehoseProgress.at - writingTime(target));
  const from = bucketTrouble?.acceptedSince ?? acceptedSince(target, written, firehoseProgress.at);
  return lossOf({ cause: 'deleted', count: firehoseCount(target) - written }, { from, to: now });
}

/** In a record, so that it stays small. */
const mostLosses = 10;

/** An older and a newer loss as one, if a record has no room for both: its range has all events of both. */
const merged = (older: GivenUp, newer: GivenUp): GivenUp => {
  const events =
    older.events === undefined || newer.events === undefined ? undefined : older.events + newer.events;
  return {
    cause: newer.cause,
    from: Math.min(older.from, newer.from),
    to: Math.max(older.to, newer.to),
    ...(events !== undefined && { events }),
  };
};

/** No loss that waits for somebody is forgotten: first go those that were dismissed, and then the oldest are put together. */
function inRoom(losses: readonly GivenUp[]): GivenUp[] {
  if (losses.length <= mostLosses) return [...losses];
  const dismissed = losses.findIndex(({ dismissedAt }) => dismissedAt !== undefined);
  if (dismissed !== -1) return inRoom(losses.toSpliced(dismissed, 1));
  const [first, second, ...others] = losses;
  return first && second ? inRoom([merged(first, second), ...others]) : [...losses];
}

/** Events that a destination will never take. */
export type Refused = { eventIds: readonly string[]; fault: Pick<Fault, 'code' | 'reason'> };

/** In a record, so that it stays small. */
export const mostRefusedIds = 50;

/**
 * The losses of a target that refused events, together with those that it refused before.
 *
 * @returns nothing if all of them are known: a batch may come again
 */
export function withRefused(
  target: Target,
  { eventIds, fault }: Refused,
  now: number,
): GivenUp[] | undefined {
  const losses = target.givenUp ?? [];
  const before = losses.find(({ cause, dismissedAt }) => cause === 'refused' && dismissedAt === undefined);
  const known = before?.eventIds ?? [];
  const added = eventIds.filter((id) => !known.includes(id));
  if (added.length === 0) return undefined;
  const from = Math.max(0, oldestWaiting(target, now) - margin);
  const loss: GivenUp = {
    cause: 'refused',
    from: Math.min(from, before?.from ?? from),
    to: now,
    events: (before?.events ?? 0) + added.length,
    eventIds: [...known, ...added].slice(-mostRefusedIds),
    code: fault.code,
    reason: fault.reason,
  };
  return inRoom([...losses.filter((one) => one !== before), loss]);
}

/** The attributes of a target's record after a loss. */
export const withLoss = (
  { givenUp = [], lostCount = 0 }: Pick<Target, 'givenUp' | 'lostCount'>,
  loss: Loss | undefined,
): Pick<Target, 'givenUp' | 'lostCount'> =>
  loss ? { givenUp: inRoom([...givenUp, loss.given]), lostCount: lostCount + loss.count } : {};
