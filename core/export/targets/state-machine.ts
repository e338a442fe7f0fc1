import { isDeepStrictEqual } from 'node:util';
import { propertiesOf } from '../kinds/records.ts';
import { isDrained, states, type Fault, type Target, type TargetState } from './target.ts';

/**
 * What the writer of a transition goes by: the target as it was read or, where one is registered, the destination that
 * is wanted.
 */
export type Expected = Pick<Target, 'destination'> &
  Partial<Pick<Target, 'state' | 'parkedThrough' | 'drainedThrough'>>;

/** `current` is the target in the table; there is none where it was never registered. */
type Condition = (current: Target | undefined, expected: Expected) => boolean;

export const isNothingWaiting = ({ parkedThrough, drainedThrough }: Expected): boolean =>
  parkedThrough !== undefined && drainedThrough !== undefined && isDrained({ parkedThrough, drainedThrough });

export const isSomethingWaiting = ({ parkedThrough, drainedThrough }: Expected): boolean =>
  parkedThrough !== undefined &&
  drainedThrough !== undefined &&
  !isDrained({ parkedThrough, drainedThrough });

/** What must hold besides the state. `guard-conditions.ts` has the same as conditions of DynamoDB; a test compares the two. */
export const guards = {
  otherDestination: (current, { destination }) => !isDeepStrictEqual(current?.destination, destination),
  sameDestination: (current, { destination }) => isDeepStrictEqual(current?.destination, destination),
  /** Trust in the destination was tested, and no later test found it weaker. */
  trusted: (current) => current?.verifiedAt !== undefined,
  /** The delivery stream of a buffered target is there. Other destinations need none. */
  provisioned: (current) =>
    !current || !propertiesOf(current.destination).isBuffered || current.provisionedAt !== undefined,
  /** The last test passed. What is delivered does not refute a test: a session may be older than the fault. */
  sound: (current) => current?.testFault === undefined,
  /** Nothing waited when the target was read, and nothing was parked since. */
  drained: (current, expected) =>
    isNothingWaiting(expected) && isDeepStrictEqual(current?.parkedThrough, expected.parkedThrough),
  /** Something waited when the target was read, and nothing that was parked has been delivered since. */
  waiting: (current, expected) =>
    isSomethingWaiting(expected) && isDeepStrictEqual(current?.drainedThrough, expected.drainedThrough),
  /** Firehose reported no error after which it still has events. */
  settled: (current) => current?.bucketTrouble === undefined,
  /** Something waits, or Firehose still has events after an error. */
  busy: (current, expected) =>
    current?.bucketTrouble !== undefined ||
    (isSomethingWaiting(expected) && isDeepStrictEqual(current?.drainedThrough, expected.drainedThrough)),
  /** The tenant paused the target, and the operator has not done so since. */
  pausedByTenant: (current) => current?.pausedBy === 'tenant',
} as const satisfies Record<string, Condition>;

export type Guard = keyof typeof guards;

type Row = {
  /** `any`: also a target that is new, or whose record is malformed. */
  from: readonly TargetState[] | 'any';
  to: TargetState;
  guards: readonly Guard[];
  /** Attributes that the transition removes, besides a fault that it does not bring itself. */
  removes?: readonly (keyof Target)[];
  /** Attributes that begin anew. */
  resets?: Partial<Target>;
  /** The state counts from now, also where it stays the same. */
  restarts?: true;
};

const live = ['active', 'degraded', 'parked'] as const;

/** What was proven of one destination says nothing about another. Who paused it does not pause another. */
const ofDestination = [
  'pausedBy',
  'verifiedAt',
  'testFault',
  'lastTest',
  'ownership',
  'provisionedAt',
  'warning',
] as const;

/**
 * The state machine of a target, whole. `TargetStore.transition` turns a row into the condition of one write, and nothing
 * else writes `state`.
 *
 * `degraded` passes by itself, `parked` waits for the fault's actor. A target that recovers is `degraded` until
 * everything that waited has been delivered. `validating` ends when its tests pass, `paused` only by the operator or, if the tenant
 * paused the target, by the tenant.
 */
export const transitions = {
  /** A destination of one of the kinds is registered, in place of nothing or of another destination. */
  register: {
    from: 'any',
    to: 'validating',
    guards: ['otherDestination'],
    removes: ofDestination,
    restarts: true,
  },
  /** A client makes a stream of signals. Nothing has to be validated, as nothing is sent before the client asks. */
  open: { from: 'any', to: 'active', guards: ['otherDestination'], restarts: true },
  /** The tenant wants no events of the category: there is nothing to validate. */
  discard: {
    from: 'any',
    to: 'active',
    guards: ['otherDestination'],
    removes: ofDestination,
    restarts: true,
  },
  /** The same destination is registered again: its new time has it provisioned once more. */
  retry: { from: ['validating'], to: 'validating', guards: ['sameDestination'], restarts: true },
  validate: {
    from: ['validating'],
    to: 'active',
    guards: ['sameDestination', 'trusted', 'provisioned', 'drained', 'settled'],
  },
  /** The same, while older events wait, here or in Firehose. */
  release: {
    from: ['validating'],
    to: 'degraded',
    guards: ['sameDestination', 'trusted', 'provisioned', 'busy'],
  },
  /** Events were parked although nothing is wrong: behind others, or by a replay. An `active` target has none. */
  queue: { from: ['active'], to: 'degraded', guards: ['waiting'] },
  /** Throttled, slow or out of order for a while. */
  degrade: { from: ['active', 'degraded'], to: 'degraded', guards: ['sameDestination'] },
  /** Refused, for a reason that the tenant or the operator must remove. */
  park: { from: live, to: 'parked', guards: ['sameDestination'] },
  /** Something that waited was delivered quickly; more waits. */
  recover: { from: ['parked', 'degraded'], to: 'degraded', guards: ['sameDestination'] },
  /** Nothing waits any more. */
  drain: {
    from: live,
    to: 'active',
    guards: ['drained', 'settled', 'sound'],
    removes: ['replayWaitingCount', 'replayFrom'],
    resets: { parkedCount: 0, waitingSince: {} },
  },
  /** Trust became weaker, or what proved it is gone: events wait until it is verified again. */
  revoke: { from: live, to: 'validating', guards: ['sameDestination'], removes: ['verifiedAt'] },
  /** By the operator, also of a target that the tenant paused. */
  pause: { from: [...live, 'paused'], to: 'paused', guards: [], resets: { pausedBy: 'operator' } },
  pauseByTenant: { from: live, to: 'paused', guards: [], resets: { pausedBy: 'tenant' } },
  /** By the operator, whoever paused the target. */
  resume: { from: ['paused'], to: 'degraded', guards: ['trusted'], removes: ['pausedBy'] },
  resumeByTenant: {
    from: ['paused'],
    to: 'degraded',
    guards: ['pausedByTenant', 'trusted'],
    removes: ['pausedBy'],
  },
} as const satisfies Record<string, Row>;

export type Transition = keyof typeof transitions;

export const rowOf = (transition: Transition): Row => transitions[transition];

/** The states that a transition may begin in. */
export const startsOf = (transition: Transition): readonly TargetState[] => {
  const { from } = rowOf(transition);
  return from === 'any' ? states : from;
};

/** Whether the table lets the target make the transition. */
export function allows(transition: Transition, current: Target | undefined, expected: Expected): boolean {
  const { from, guards: names } = rowOf(transition);
  const isFrom = from === 'any' || (current !== undefined && from.includes(current.state));
  return isFrom && names.every((name) => guards[name](current, expected));
}

/**
 * The ways to make a transition. A target that stays in its state keeps the time since when it is: which one it is, only
 * the write itself can tell.
 */
export function variantsOf(transition: Transition): { from: Row['from']; since: 'now' | 'kept' }[] {
  const { from, to, restarts } = rowOf(transition);
  if (from === 'any' || restarts) return [{ from, since: 'now' }];
  const others = from.filter((state) => state !== to);
  return [
    ...(others.length > 0 ? [{ from: others, since: 'now' as const }] : []),
    ...(from.includes(to) ? [{ from: [to], since: 'kept' as const }] : []),
  ];
}

/** What a failed delivery does to its target. */
export const transitionFor = ({ actor }: Fault): 'degrade' | 'park' =>
  actor === 'nobody' ? 'degrade' : 'park';
