import { isPlace, propertiesOf } from '../kinds/records.ts';
import { inBucketCount, unwrittenCount } from './firehose-progress.ts';
import {
  countLost,
  isDrained,
  isWaiting,
  lateBucketCode,
  openLosses,
  type Fault,
  type GivenUp,
  type LastTest,
  type Target,
  type TargetState,
  type TestEvent,
} from './target.ts';
import { passingMs } from './test-schedule.ts';
import { rfc3339 } from '../../kernel/time.ts';

type Waiting = Pick<Target, 'parkedThrough' | 'drainedThrough' | 'waitingSince'>;

/**
 * The least time that the oldest waiting event has waited, in milliseconds. A replayed event waits since it was parked.
 *
 * @returns nothing if no event waits
 */
export function oldestWaitingAge(target: Waiting, now: number): number | undefined {
  const waiting = Object.entries(target.waitingSince).filter(([lane]) => isWaiting(target, lane));
  if (waiting.length === 0) return undefined;
  return Math.max(0, now - Math.min(...waiting.map(([, since]) => since)));
}

/** The meaning of a state, shown if no fault says more. */
const meanings: Record<TargetState, string> = {
  validating: 'Events wait for a passed test. The operator or the tenant must ask for a test.',
  active: 'Events are delivered as they come.',
  degraded:
    'The target accepts events. Waiting and replayed events are being delivered. Nobody needs to act.',
  parked: 'The target rejects events. They wait until the cause is removed.',
  paused: 'The operator paused the target. Events wait until the operator resumes it.',
};

const pausedByTenant =
  'The tenant paused the target. Events wait until the tenant or the operator resumes it.';

const beingTested = 'The service tests the destination. Events wait for a passed test.';
const beingProvisioned = 'The test has passed. Events wait for the delivery stream, which is being created.';

/** What the service does by itself, so that a target in validation gets events. */
function progressOf({ state, destination, verifiedAt, lastTest }: Target): string | undefined {
  if (state !== 'validating' || !isPlace(destination)) return undefined;
  if (verifiedAt !== undefined && propertiesOf(destination).isBuffered) return beingProvisioned;
  return lastTest && lastTest.outcome !== 'failed' ? beingTested : undefined;
}

function meaningOf(target: Target): string {
  const { destination, state, pausedBy } = target;
  if (!isPlace(destination)) return 'Events of this category are not exported.';
  const progress = progressOf(target);
  if (progress !== undefined) return progress;
  return state === 'paused' && pausedBy === 'tenant' ? pausedByTenant : meanings[state];
}

/** A target's record as people read it. */
export type TargetStatus = {
  state: TargetState;
  since: string;
  reason: string;
  /** Action required by. */
  actor: Fault['actor'];
  accepted: number;
  delivered: number;
  parked: number;
  /** Events that were delivered again by replays. They are not among the accepted and delivered ones. */
  replayed?: number;
  /** How many of the events that Firehose got are in the bucket. */
  inBucket?: number;
  /** Events that did not arrive, until they are replayed or dismissed. */
  givenUp?: GivenUpStatus;
  oldestWaitingMs?: number;
  /** A remark, although nothing is wrong. */
  warning?: string;
  lastTest?: TestStatus;
};

/** Events that were given up. Times are those of acceptance, as RFC 3339. */
export type GivenUpStatus = {
  /** `null`: nobody knows how many they are. */
  count: number | null;
  since: string;
  until: string;
  /** By cause, with the time range of the replay that brings them back. */
  losses: { from: string; to: string; events?: number; eventIds?: string[]; reason: string }[];
};

/** A test of trust as people read it. Times are RFC 3339. */
export type TestStatus = {
  requestedAt: string;
  /** The event that it sends, if one was asked for. */
  event?: TestEvent;
  endedAt?: string;
  outcome: LastTest['outcome'];
  code?: string;
  reason?: string;
  /** When the service repeats it. */
  nextAt?: string;
};

export function describeTest(test: LastTest): TestStatus {
  const { event, requestedAt, endedAt, outcome, code, reason, nextAt } = test;
  return {
    ...(event && { event }),
    requestedAt: rfc3339(requestedAt),
    ...(endedAt !== undefined && { endedAt: rfc3339(endedAt) }),
    outcome,
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
    ...(nextAt !== undefined && { nextAt: rfc3339(nextAt) }),
  };
}

/**
 * Why a target is not well. What a test found stays true until a test passes, also while events are delivered through access
 * that was granted before.
 */
export const faultOf = ({ fault, testFault }: Pick<Target, 'fault' | 'testFault'>): Fault | undefined =>
  fault && fault.actor !== 'nobody' ? fault : (testFault ?? fault);

const inSpite =
  ' Events are still delivered, through access that was granted before. That ends without notice.';

function reasonOf(target: Target, cause: Cause | undefined): string {
  const { state, fault, testFault } = target;
  if (state === 'degraded' && testFault && !fault) return `${testFault.reason}${inSpite}`;
  return cause?.reason ?? meaningOf(target);
}

const actorOf = (target: Target, fault: Cause | undefined): Fault['actor'] => {
  const { state, destination, pausedBy } = target;
  if (fault) return fault.actor;
  if (progressOf(target) !== undefined) return 'nobody';
  if (state === 'paused' && pausedBy === 'tenant') return 'tenant';
  return (state === 'validating' || state === 'paused') && isPlace(destination) ? 'operator' : 'nobody';
};

type Cause = Pick<Fault, 'actor' | 'reason'>;

/** What Firehose reported, unless a later test found that the bucket takes events. A test proves nothing about a bucket that is late. */
function troubleOf(target: Target, now: number): Cause | undefined {
  const { bucketTrouble, verifiedAt = 0 } = target;
  if (!bucketTrouble || verifiedAt <= bucketTrouble.lastErrorAt || bucketTrouble.code === lateBucketCode)
    return bucketTrouble;
  return {
    actor: 'nobody',
    reason: `The bucket accepts events again. Firehose has about ${unwrittenCount(target, now)} events, which it has not written yet. Nobody needs to act.`,
  };
}

/** Without a bucket, what was delivered has arrived. */
function bucketStatus(target: Target, delivered: number, now: number): Partial<TargetStatus> {
  const { destination } = target;
  const givenUp = openLosses(target);
  return {
    ...(propertiesOf(destination).isBuffered && { inBucket: inBucketCount(target, delivered, now) }),
    ...(givenUp.length > 0 && { givenUp: givenUpStatus(givenUp) }),
  };
}

/** @returns undefined if no event was given up; of some losses nobody knows how many events they were */
export function givenUpText({ givenUp }: Pick<TargetStatus, 'givenUp'>): string | undefined {
  return givenUp && String(givenUp.count ?? 'some');
}

/** How many events were lost, or that nobody knows. */
export const lostText = (losses: readonly GivenUp[]): string => String(countLost(losses) ?? 'some');

export const givenUpStatus = (losses: readonly GivenUp[]): GivenUpStatus => ({
  count: countLost(losses),
  since: rfc3339(Math.min(...losses.map(({ from }) => from))),
  until: rfc3339(Math.max(...losses.map(({ to }) => to))),
  losses: losses.map(describeGivenUp),
});

/** Without a destination, no replay brings them back. */
const remedyOf = ({ destination }: Pick<Target, 'destination'>): string =>
  isPlace(destination)
    ? 'The operator must replay or dismiss them. The tenant may do so, too.'
    : 'The events are no longer exported, so no replay is possible. The operator must dismiss them with "omi target dismiss".';

/** A target takes events, and earlier ones are missing in its bucket. The state machine does not know that. */
function shortfallOf(target: Target): (Cause & { since: number }) | undefined {
  const losses = openLosses(target);
  const lost = lostText(losses);
  if (losses.length === 0 || (target.state !== 'active' && target.state !== 'degraded')) return undefined;
  return {
    actor: 'operator',
    reason: `${lost === 'some' ? 'Some' : lost} events were given up, and did not arrive. ${remedyOf(target)}`,
    since: Math.max(...losses.map(({ to }) => to)),
  };
}

/** A target that nobody must act for, but for events that were given up. */
export const isShort = (target: Target, now: number): boolean => outcomeOf(target, now).isShort;

/** The state as people see it: a target that gave up events is degraded until they are replayed or dismissed. */
export const shownState = (target: Target, now: number): TargetState => outcomeOf(target, now).state;

type Outcome = { state: TargetState; since: number; cause: Cause | undefined; isShort: boolean };

function outcomeOf(target: Target, now: number): Outcome {
  const { state, stateSince: since } = target;
  const cause = faultOf(target) ?? troubleOf(target, now);
  const shortfall = cause && cause.actor !== 'nobody' ? undefined : shortfallOf(target);
  if (!shortfall) return { state, since, cause, isShort: false };
  const shown = { cause: shortfall, isShort: true };
  return state === 'active'
    ? { ...shown, state: 'degraded', since: Math.max(since, shortfall.since) }
    : { ...shown, state, since };
}

const causes: Record<Exclude<GivenUp['cause'], 'refused'>, string> = {
  expired: 'Firehose could not write them into the bucket for 24 hours, and dropped them.',
  deleted: 'Firehose still held them when its delivery stream was deleted.',
  replaced: 'Firehose still held them for an earlier bucket, into which it could not write.',
  errors: 'Firehose wrote them under errors/ in the bucket, not as events.',
};

/** Refused events are named, too. */
const describeGivenUp = ({ cause, from, to, events, eventIds, code, reason }: GivenUp) => ({
  from: rfc3339(from),
  to: rfc3339(to),
  ...(events !== undefined && { events }),
  ...(eventIds && { eventIds }),
  reason: cause === 'refused' ? `Undeliverable (${code}): ${reason}` : causes[cause],
});

/**
 * Counts that add up. Of events that were parked or delivered a second time, the record may count too many. If nothing
 * waits, nothing is parked.
 */
function countsOf(target: Target): Pick<TargetStatus, 'accepted' | 'delivered' | 'parked'> {
  const { acceptedCount: accepted, deliveredCount, parkedCount, replayWaitingCount = 0 } = target;
  const parked = isDrained(target) ? 0 : Math.max(0, Math.min(parkedCount, accepted));
  const delivered = Math.max(0, Math.min(deliveredCount, accepted - parked));
  return { accepted, delivered, parked: parked + (isDrained(target) ? 0 : Math.max(0, replayWaitingCount)) };
}

/**
 * A fault that passes by itself, but has not for so long that somebody has to act. The clock notes it in the target's record.
 *
 * @returns undefined as long as nobody has to
 */
export function lastingFault(target: Target, now: number): Fault | undefined {
  const { fault } = target;
  if (!fault?.lastingActor || fault.actor !== 'nobody') return undefined;
  // A target that takes events of other lanes has recovered meanwhile: its state would change with each look.
  const age = Math.min(oldestWaitingAge(target, now) ?? 0, now - target.stateSince);
  if (age < passingMs) return undefined;
  const reason = `${fault.reason} Events have waited for 15 minutes or more.`;
  return { ...fault, actor: fault.lastingActor, reason };
}

export function describeTargetStatus(target: Target, now: number): TargetStatus {
  const { replayedCount, lastTest } = target;
  const { state, since, cause } = outcomeOf(target, now);
  const counts = countsOf(target);
  const age = oldestWaitingAge(target, now);
  return {
    state,
    since: rfc3339(since),
    reason: reasonOf(target, cause),
    actor: actorOf(target, cause),
    ...counts,
    ...bucketStatus(target, counts.delivered, now),
    ...(replayedCount !== undefined && { replayed: replayedCount }),
    ...(age !== undefined && { oldestWaitingMs: age }),
    ...(target.warning !== undefined && { warning: target.warning }),
    ...(lastTest && { lastTest: describeTest(lastTest) }),
  };
}
