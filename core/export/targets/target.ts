import * as v from 'valibot';
import { isTargetName, type TargetRef } from '../../events/target-ref.ts';
import { sealedSecret } from '../../outbound/sealed-secret.ts';
import { destination, isPlace } from '../kinds/records.ts';
import { isReplayLane } from './lanes.ts';

const text = v.pipe(v.string(), v.nonEmpty());

/** Why events do not arrive, and who has to act; `nobody`: it passes by itself. */
const fault = v.object({
  actor: v.picklist(['tenant', 'operator', 'nobody']),
  code: v.string(),
  /** For people. */
  reason: v.string(),
  /** When a test found it, in milliseconds since 1970. Faults of deliveries have none. */
  foundAt: v.optional(v.number()),
  /** The receiver of a webhook asked for no call before, by `Retry-After`. In milliseconds since 1970. */
  notBefore: v.optional(v.number()),
  /** The last call got no answer, so the target may have taken what it carried. */
  unanswered: v.optional(v.literal(true)),
  /** Who has to act if it does not pass by itself: see `target-status.ts`. */
  lastingActor: v.optional(v.picklist(['tenant', 'operator'])),
});

export type Fault = v.InferOutput<typeof fault>;

/** Codes of provisioning faults begin with it: provisioning removes only those. */
export const provisioningFaultPrefix = 'Provisioning.';

export const isProvisioningFault = (found: Fault | undefined): boolean =>
  found?.code.startsWith(provisioningFaultPrefix) ?? false;

export const states = ['validating', 'active', 'degraded', 'parked', 'paused'] as const;
export type TargetState = (typeof states)[number];

/** The owner of a bucket proves that by reading a text in it. Only the hash of the text is stored. */
const ownership = v.object({
  /** SHA-256 of the text inside of the object. */
  challengeHash: v.string(),
  /** Its key in the bucket. */
  object: v.string(),
  /** In milliseconds since 1970. */
  provenAt: v.optional(v.number()),
});

export type Ownership = v.InferOutput<typeof ownership>;

/** An event that a test sends, too. */
export const testEvent = v.object({ type: text, eventId: v.pipe(v.string(), v.uuid()) });

export type TestEvent = v.InferOutput<typeof testEvent>;

/** The last test of trust, or the next one if it was asked for since. Times in milliseconds since 1970. */
const lastTest = v.object({
  /** The id of the message that asks for the test. The same message repeats it. */
  id: text,
  /** If one was asked for. */
  event: v.optional(testEvent),
  requestedAt: v.number(),
  endedAt: v.optional(v.number()),
  /** `postponed`: AWS or the receiver was throttled or unavailable, which says nothing about the target before it lasts. */
  outcome: v.picklist(['waiting', 'running', 'passed', 'failed', 'postponed']),
  /** Why it failed or was postponed. */
  code: v.optional(v.string()),
  /** For people. */
  reason: v.optional(v.string()),
  /** When the service repeats it. */
  nextAt: v.optional(v.number()),
  /** Tests in a row that failed. */
  failures: v.optional(v.number()),
  /** Since when each test found what its tenant must mend if it lasts. */
  lastingSince: v.optional(v.number()),
});

export type LastTest = v.InferOutput<typeof lastTest>;

/** When Firehose got events. All times are in milliseconds since 1970. */
const firehoseProgress = v.object({
  /** The last time. */
  at: v.number(),
  /** Newest first. Until `at` it got `count` events, of which replays sent `replayed`. None that it got later was accepted before `since`. */
  checkpoints: v.array(
    v.object({ at: v.number(), count: v.number(), replayed: v.number(), since: v.number() }),
  ),
});

export type FirehoseProgress = v.InferOutput<typeof firehoseProgress>;

/** Firehose does not write into the bucket, although it logged no error. */
export const lateBucketCode = 'Firehose.Late';

/** Firehose cannot write into the bucket. Its fault is what Firehose reported last. */
const bucketTrouble = v.object({
  ...v.pick(fault, ['actor', 'code', 'reason']).entries,
  /** The one that Firehose could not write into: the target may have another one since. */
  bucket: v.string(),
  /** When Firehose reported its first and its last error. */
  since: v.number(),
  lastErrorAt: v.number(),
  /** How many of the events that Firehose got are in the bucket. No other was accepted before `acceptedSince`. */
  writtenCount: v.number(),
  acceptedSince: v.number(),
});

export type BucketTrouble = v.InferOutput<typeof bucketTrouble>;

/**
 * Events that Firehose got and did not write into the bucket: it tried for a day, its delivery stream was deleted, the target
 * got another destination, or it wrote them under `errors/`. Or events that the destination refuses for their content. They were
 * accepted from `from` on and before `to`.
 */
const givenUp = v.object({
  cause: v.picklist(['expired', 'deleted', 'replaced', 'errors', 'refused']),
  from: v.number(),
  to: v.number(),
  /** How many, if that is known. */
  events: v.optional(v.number()),
  /** The ids of the last refused ones. */
  eventIds: v.optional(v.array(v.string())),
  /** Why the last one was refused: code and message of AWS. */
  code: v.optional(v.string()),
  reason: v.optional(v.string()),
  /** When somebody decided that nobody replays them, in milliseconds since 1970. */
  dismissedAt: v.optional(v.number()),
});

export type GivenUp = v.InferOutput<typeof givenUp>;

/** Events that somebody must replay or dismiss. */
export const openLosses = ({
  givenUp = [],
}: {
  givenUp?: readonly GivenUp[] | undefined;
}): readonly GivenUp[] => givenUp.filter(({ dismissedAt }) => dismissedAt === undefined);

/** @returns null if nobody knows how many events were lost */
export function countLost(losses: readonly GivenUp[]): number | null {
  if (losses.some(({ events }) => events === undefined)) return null;
  return losses.reduce((sum, { events = 0 }) => sum + events, 0);
}

/** By lane: a position in the parking queue, as sortable text. */
const positions = v.record(v.string(), v.string());

export const target = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  category: v.custom<TargetRef['category']>(isTargetName),
  destination,
  /** The secrets of this webhook, newest first: two while they are rotated. */
  webhookSecrets: v.optional(v.pipe(v.array(sealedSecret), v.maxLength(2))),
  /** Only events of these types are exported. If absent, all events are. */
  types: v.optional(v.pipe(v.array(text), v.minLength(1))),
  state: v.picklist(states),
  /** Milliseconds since 1970. */
  stateSince: v.number(),
  /** Who paused the target. If it is absent in a paused target, the operator did. */
  pausedBy: v.optional(v.picklist(['tenant', 'operator'])),
  /** Why the target is not `active`. */
  fault: v.optional(fault),
  /** When trust in this destination was last tested with success, in milliseconds since 1970. */
  verifiedAt: v.optional(v.number()),
  /** What the last test found that came to an end. Only a test that passes removes it, whatever is delivered meanwhile. */
  testFault: v.optional(fault),
  /** Missing if this destination was never tested. */
  lastTest: v.optional(lastTest),
  /** Whose bucket this is. It is proven once. */
  ownership: v.optional(ownership),
  /** A remark of the last test of trust. Nothing is wrong. For people. */
  warning: v.optional(v.string()),
  /** When the bucket's delivery stream was there with the settings of this destination. */
  provisionedAt: v.optional(v.number()),
  /** The longest that the delivery stream collects events, in seconds. */
  bufferSeconds: v.optional(v.number()),
  firehoseProgress: v.optional(firehoseProgress),
  bucketTrouble: v.optional(bucketTrouble),
  givenUp: v.optional(v.array(givenUp)),
  /** How many events were given up. */
  lostCount: v.optional(v.number()),
  /** When the last object under `errors/` that is known was written, in milliseconds since 1970. */
  errorsThrough: v.optional(v.number()),
  /** No event that waits for its replay was accepted earlier, in milliseconds since 1970. */
  replayFrom: v.optional(v.number()),
  /** When a stream of signals was disabled, in milliseconds since 1970: what was parked before is discarded. */
  discardedBefore: v.optional(v.number()),
  /** How many events came for the target, and how many it took. Replayed events do not count again. */
  acceptedCount: v.optional(v.number(), 0),
  deliveredCount: v.optional(v.number(), 0),
  /** About how many of them wait: repeated events count twice until the target is drained. */
  parkedCount: v.optional(v.number(), 0),
  /** How many events the target took again from replays, and how many of those wait. */
  replayedCount: v.optional(v.number()),
  replayWaitingCount: v.optional(v.number()),
  /** The last message that was parked, and the last that was delivered from parking. */
  parkedThrough: positions,
  drainedThrough: positions,
  /** By lane: no waiting event was parked earlier, in milliseconds since 1970. */
  waitingSince: v.record(v.string(), v.number()),
});

export type Target = v.InferOutput<typeof target>;

/** True if earlier events wait in this lane. New events must not overtake them. */
export const isWaiting = ({ parkedThrough, drainedThrough }: Waiting, lane: string): boolean => {
  const parked = parkedThrough[lane];
  return parked !== undefined && parked > (drainedThrough[lane] ?? '');
};

type Waiting = Pick<Target, 'parkedThrough' | 'drainedThrough'>;

export const isDrained = (target: Waiting): boolean =>
  Object.keys(target.parkedThrough).every((lane) => !isWaiting(target, lane));

export type Route = 'deliver' | 'queue' | 'skip';

/** Codes of faults by which calls take long. */
export const slowCodes = { slow: 'Slow', outOfTime: 'Timeout' } as const;

/** True if calls to this target are slow. */
export const isSlow = ({ fault }: Pick<Target, 'fault'>): boolean =>
  Object.values<string | undefined>(slowCodes).includes(fault?.code);

/**
 * What the exporter does with new events of a lane. While the tenant or the operator must act, it does not try: the
 * redelivery notices when the target takes events again, and a broken target costs the others no time. A slow target
 * would cost time with every batch, so its events go through the queue until the redelivery finds it quick. A target
 * that is degraded for another reason gets events directly in lanes in which nothing waits.
 */
export function routeOf(
  target: Pick<Target, 'destination' | 'state' | 'fault'> & Waiting,
  lane: string,
  now = Date.now(),
): Route {
  if (!isPlace(target.destination)) return 'skip';
  switch (target.state) {
    case 'validating':
    case 'paused':
      return 'queue';
    case 'parked':
      return isDrained(target) ? 'deliver' : 'queue';
    case 'active':
    case 'degraded':
      return isSlow(target) || isToWait(target, now) || isWaiting(target, lane) ? 'queue' : 'deliver';
  }
}

const soonMs = 5_000;

/**
 * True if the redelivery has almost caught up: the target takes events again, and the waiting ones were parked a moment ago.
 * New events would queue behind them, without end if they come faster than the queue passes them on.
 */
export function isNearlyDrained(
  { state, fault, waitingSince, ...watermarks }: Pick<Target, 'state' | 'fault' | 'waitingSince'> & Waiting,
  now: number,
): boolean {
  const waiting = Object.keys(watermarks.parkedThrough).filter(
    (lane) => !isReplayLane(lane) && isWaiting(watermarks, lane),
  );
  const isFresh = (lane: string): boolean => now - (waitingSince[lane] ?? 0) < soonMs;
  return state === 'degraded' && !fault && waiting.length > 0 && waiting.every(isFresh);
}

/** True if new events may be delivered directly. Replayed events wait in lanes of their own. */
export const isFree = (target: Waiting): boolean =>
  Object.keys(target.parkedThrough).every((lane) => isReplayLane(lane) || !isWaiting(target, lane));

/** True if the target's parked events may be sent. */
export const isOpen = ({ state }: Pick<Target, 'state'>): boolean =>
  state !== 'validating' && state !== 'paused';

/** True if the receiver of a webhook asked for no call before a later time. */
const isToWait = ({ fault }: Pick<Target, 'fault'>, now: number): boolean => (fault?.notBefore ?? 0) > now;

/** True if parked events may be sent now. */
export const mayCall = (target: Pick<Target, 'state' | 'fault'>, now: number): boolean =>
  isOpen(target) && !isToWait(target, now);
