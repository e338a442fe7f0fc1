import * as v from 'valibot';
import { categories } from '../../events/target-ref.ts';
import { isReplayLane } from './lanes.ts';

const text = v.pipe(v.string(), v.nonEmpty());

const iamRoleArn = v.pipe(v.string(), v.regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/));

const stream = v.object({
  kind: v.literal('stream'),
  streamArn: v.pipe(
    v.string(),
    v.regex(/^arn:aws[a-z-]*:kinesis:[a-z0-9-]+:\d{12}:stream\/[a-zA-Z0-9_.-]{1,128}$/),
  ),
  /** The tenant's role that the service assumes. */
  roleArn: iamRoleArn,
  /** The tenant's random string. Longer than what STS asks for (2), so that nobody guesses it. */
  externalId: v.pipe(v.string(), v.regex(/^[\w+=,.@:/-]{16,1224}$/)),
  /**
   * Ordering buckets. Each may fill a shard (1 MB/s), and costs half a billed unit a batch on average. A change moves
   * aggregates to other shards, where consumers may see them out of order for a moment.
   */
  lanes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(128)), 2),
});

const bucket = v.object({
  kind: v.literal('bucket'),
  /** General-purpose buckets' names: "Bucket naming rules" in S3's guide. */
  bucket: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)),
  /** The tenant's key, in the bucket's region. */
  kmsKeyArn: v.optional(
    v.pipe(v.string(), v.regex(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[a-zA-Z0-9-]+$/)),
  ),
  /** The account that the bucket is in, where it is not that of the key. */
  bucketOwner: v.optional(v.pipe(v.string(), v.regex(/^\d{12}$/))),
  /** The operator's role for this tenant, which Firehose assumes. */
  deliveryRoleArn: iamRoleArn,
  /** The service's own Firehose stream that writes into the bucket. */
  deliveryStreamName: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_.-]{1,64}$/)),
});

/** Nowhere: events are not exported. What waited for an earlier target is given up. */
const none = v.object({ kind: v.literal('none') });

export const destination = v.variant('kind', [stream, bucket, none]);

export type StreamDestination = v.InferOutput<typeof stream>;
export type BucketDestination = v.InferOutput<typeof bucket>;
export type Destination = v.InferOutput<typeof destination>;

/** Order matters only in a stream: objects in a bucket have none. */
export const laneCount = (destination: Destination): number =>
  destination.kind === 'stream' ? destination.lanes : 1;

/** Whose move it is when events do not arrive; `nobody`: it passes by itself. */
const fault = v.object({
  actor: v.picklist(['tenant', 'operator', 'nobody']),
  code: v.string(),
  /** For people. */
  reason: v.string(),
  /** When a check found it, in milliseconds since 1970, where one did: the same fault found again is news. */
  foundAt: v.optional(v.number()),
});

export type Fault = v.InferOutput<typeof fault>;

/** Codes of provisioning faults begin with it: provisioning removes only those. */
export const provisioningFaultPrefix = 'Provisioning.';

export const isProvisioningFault = (found: Fault | undefined): boolean =>
  found?.code.startsWith(provisioningFaultPrefix) ?? false;

export const states = ['validating', 'active', 'degraded', 'parked', 'paused'] as const;
export type TargetState = (typeof states)[number];

/** How the bucket's owner shows that it is theirs: by reading what only they can. Whoever knows the hash cannot. */
const ownership = v.object({
  /** SHA-256 of the text inside of the object. */
  challengeHash: v.string(),
  /** Its key in the bucket. */
  object: v.string(),
  /** In milliseconds since 1970. */
  provenAt: v.optional(v.number()),
});

export type Ownership = v.InferOutput<typeof ownership>;

/** By lane: a place in the parking queue's order, as sortable text. */
const positions = v.record(v.string(), v.string());

export const target = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  category: v.picklist(categories),
  destination,
  /** Only events of these types are exported; all without it. */
  types: v.optional(v.pipe(v.array(text), v.minLength(1))),
  state: v.picklist(states),
  /** Milliseconds since 1970. */
  stateSince: v.number(),
  /** Why the target is not `active`. */
  fault: v.optional(fault),
  /** When trust in this destination was last proven, in milliseconds since 1970; a new destination has none. */
  verifiedAt: v.optional(v.number()),
  /** Of this bucket; asked for once. */
  ownership: v.optional(ownership),
  /** What is not wrong, but to be known: found when trust was last tested. For people. */
  warning: v.optional(v.string()),
  /** When the bucket's delivery stream was made as the destination asks for. */
  provisionedAt: v.optional(v.number()),
  /** Events that came for the target, and those it took, about: what comes again counts again. */
  acceptedCount: v.optional(v.number(), 0),
  deliveredCount: v.optional(v.number(), 0),
  /** Events that wait, about: a repetition may count twice until the target is drained. */
  parkedCount: v.optional(v.number(), 0),
  /** The last message that was parked, and the last that was delivered from parking. */
  parkedThrough: positions,
  drainedThrough: positions,
  /** By lane: nothing that waits in it was parked before, in milliseconds since 1970. */
  waitingSince: v.record(v.string(), v.number()),
});

export type Target = v.InferOutput<typeof target>;

/** Whether events that came earlier still wait in this lane: what comes now must not overtake them. */
export const isWaiting = ({ parkedThrough, drainedThrough }: Waiting, lane: string): boolean => {
  const parked = parkedThrough[lane];
  return parked !== undefined && parked > (drainedThrough[lane] ?? '');
};

type Waiting = Pick<Target, 'parkedThrough' | 'drainedThrough'>;

export const isDrained = (target: Waiting): boolean =>
  Object.keys(target.parkedThrough).every((lane) => !isWaiting(target, lane));

export type Route = 'deliver' | 'queue' | 'skip';

/** Of faults by which a call takes its time. */
export const slowCodes = { slow: 'Slow', outOfTime: 'Timeout' } as const;

/** Whether whoever waits for it would wait long. */
export const isSlow = ({ fault }: Pick<Target, 'fault'>): boolean =>
  Object.values<string | undefined>(slowCodes).includes(fault?.code);

/**
 * What is to be done with new events of a lane. While someone must act, nothing is tried: the redelivery finds out
 * when the target is mended, and a dead target costs the others no time. A slow one would, with every batch: its
 * events take the way of those that wait, until the redelivery finds it quick. Through one that is degraded for
 * another reason, lanes go on in which nothing waits.
 */
export function routeOf(
  target: Pick<Target, 'destination' | 'state' | 'fault'> & Waiting,
  lane: string,
): Route {
  if (target.destination.kind === 'none') return 'skip';
  switch (target.state) {
    case 'validating':
    case 'paused':
      return 'queue';
    case 'parked':
      return isDrained(target) ? 'deliver' : 'queue';
    case 'active':
    case 'degraded':
      return isSlow(target) || isWaiting(target, lane) ? 'queue' : 'deliver';
  }
}

/** Milliseconds. */
const soon = 5_000;

/**
 * Whether the redelivery is about to be done with a target: it takes events again, and what waits was parked a moment ago.
 * What is new would queue behind that again, and so without end where it comes quicker than the queue passes it on.
 */
export function isNearlyDrained(
  { state, fault, waitingSince, ...places }: Pick<Target, 'state' | 'fault' | 'waitingSince'> & Waiting,
  now: number,
): boolean {
  const waiting = Object.keys(places.parkedThrough).filter(
    (lane) => !isReplayLane(lane) && isWaiting(places, lane),
  );
  const isFresh = (lane: string): boolean => now - (waitingSince[lane] ?? 0) < soon;
  return state === 'degraded' && !fault && waiting.length > 0 && waiting.every(isFresh);
}

/** Whether new events may be delivered as they come: what is replayed waits in lanes of its own. */
export const isFree = (target: Waiting): boolean =>
  Object.keys(target.parkedThrough).every((lane) => isReplayLane(lane) || !isWaiting(target, lane));

/** Whether a target's parked events may be tried again. */
export const isOpen = ({ state }: Pick<Target, 'state'>): boolean =>
  state !== 'validating' && state !== 'paused';
