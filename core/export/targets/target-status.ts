import { isDrained, isWaiting, type Fault, type Target, type TargetState } from './target.ts';
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
  validating:
    'Events wait until trust in the destination is verified and its delivery stream, if it needs one, is there.',
  active: 'Events are delivered as they come.',
  degraded:
    'The target takes events. Those that waited, or are replayed, are being delivered. Nobody needs to act.',
  parked: 'The target refuses events. They wait until the cause is removed.',
  paused: 'The operator paused the target. Events wait until the operator resumes it.',
};

const pausedByTenant =
  'The tenant paused the target. Events wait until the tenant or the operator resumes it.';

function meaningOf({ destination, state, pausedBy }: Target): string {
  if (destination.kind === 'none') return 'Events of this category are not exported.';
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
  oldestWaitingMs?: number;
  /** A remark, although nothing is wrong. */
  warning?: string;
};

const actorOf = ({ state, fault, destination, pausedBy }: Target): Fault['actor'] => {
  if (fault) return fault.actor;
  if (state === 'paused' && pausedBy === 'tenant') return 'tenant';
  return (state === 'validating' || state === 'paused') && destination.kind !== 'none'
    ? 'operator'
    : 'nobody';
};

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

export function describeTargetStatus(target: Target, now: number): TargetStatus {
  const { state, stateSince, fault, replayedCount } = target;
  const age = oldestWaitingAge(target, now);
  return {
    state,
    since: rfc3339(stateSince),
    reason: fault?.reason ?? meaningOf(target),
    actor: actorOf(target),
    ...countsOf(target),
    ...(replayedCount !== undefined && { replayed: replayedCount }),
    ...(age !== undefined && { oldestWaitingMs: age }),
    ...(target.warning !== undefined && { warning: target.warning }),
  };
}
