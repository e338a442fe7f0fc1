import { isDrained, isWaiting, type Fault, type Target, type TargetState } from './target.ts';
import { rfc3339 } from '../../kernel/time.ts';

type Waiting = Pick<Target, 'parkedThrough' | 'drainedThrough' | 'waitingSince'>;

/**
 * Milliseconds for which the oldest event has waited, at least; of a replay, since it was taken up.
 *
 * @returns nothing where none waits
 */
export function oldestWaitingAge(target: Waiting, now: number): number | undefined {
  const waiting = Object.entries(target.waitingSince).filter(([lane]) => isWaiting(target, lane));
  if (waiting.length === 0) return undefined;
  return Math.max(0, now - Math.min(...waiting.map(([, since]) => since)));
}

/** What a state means where no fault says more. */
const meanings: Record<TargetState, string> = {
  validating: 'Events wait until trust in the destination is verified and the way to it is made.',
  active: 'Events are delivered as they come.',
  degraded: 'The target takes events again, and what waited is being delivered. Nobody needs to act.',
  parked: 'The target refuses events, which wait until that is mended.',
  paused: 'An operator paused the target. Events wait until an operator resumes it.',
};

/** A target's record as people read it. */
export type TargetStatus = {
  state: TargetState;
  since: string;
  reason: string;
  /** Who must act. */
  actor: Fault['actor'];
  accepted: number;
  delivered: number;
  parked: number;
  oldestWaitingMs?: number;
  /** What is to be known, though nothing is wrong. */
  warning?: string;
};

const actorOf = ({ state, fault, destination }: Target): Fault['actor'] => {
  if (fault) return fault.actor;
  return (state === 'validating' || state === 'paused') && destination.kind !== 'none'
    ? 'operator'
    : 'nobody';
};

export function describeTargetStatus(target: Target, now: number): TargetStatus {
  const { state, stateSince, fault, destination, acceptedCount, deliveredCount, parkedCount } = target;
  const age = oldestWaitingAge(target, now);
  const meaning = destination.kind === 'none' ? 'Events of this category are not exported.' : meanings[state];
  return {
    state,
    since: rfc3339(stateSince),
    reason: fault?.reason ?? meaning,
    actor: actorOf(target),
    accepted: acceptedCount,
    delivered: deliveredCount,
    // A repetition may have counted twice: where nothing waits, nothing is parked.
    parked: isDrained(target) ? 0 : parkedCount,
    ...(age !== undefined && { oldestWaitingMs: age }),
    ...(target.warning !== undefined && { warning: target.warning }),
  };
}
