import { randomUUID } from 'node:crypto';
import { hours, minutes } from '../../kernel/time.ts';
import { isPlace } from '../kinds/records.ts';
import { describeTargetStatus, faultOf, oldestWaitingAge } from '../targets/target-status.ts';
import { openLosses, type Target } from '../targets/target.ts';

/** By then somebody must look, whoever has to act. After 14 days the events are lost. */
const stuckAfterMs = 1 * hours;

/** True if events have waited for too long, and not on purpose. */
export const isStuck = (target: Target | undefined, now: number): boolean =>
  target !== undefined &&
  isPlace(target.destination) &&
  target.state !== 'paused' &&
  (describeTargetStatus(target, now).oldestWaitingMs ?? 0) > stuckAfterMs;

/** What a notice says: a trouble began, goes on, or is over. */
export const phases = ['started', 'continues', 'ended'] as const;
export type Phase = (typeof phases)[number];

/** A target that waits for its tenant. Its own pause is no trouble: the tenant knows of it. */
export function waitsForTenant(target: Target | undefined, now: number): boolean {
  if (!target || !isPlace(target.destination) || target.state === 'paused') return false;
  return describeTargetStatus(target, now).actor === 'tenant';
}

/** True if time alone can make it wait for its tenant, or end that. The clock looks at these targets alone. */
export const isAiling = (target: Target | undefined): boolean =>
  target !== undefined &&
  isPlace(target.destination) &&
  (target.state !== 'active' ||
    target.fault !== undefined ||
    target.testFault !== undefined ||
    target.bucketTrouble !== undefined ||
    openLosses(target).length > 0);

/** A notice that has not arrived: it is sent again for an hour, unless another one takes its place. */
export type PendingNotice = {
  id: string;
  phase: Phase;
  /** Both in milliseconds since 1970. */
  claimedAt: number;
  /** Missing after the last attempt. */
  nextAt?: number | undefined;
  tries: number;
  /** Why the last attempt failed, in plain words. */
  fault?: string | undefined;
};

/** What a tenant was told of one target. */
export type TargetNotices = {
  /** Since when it waits for its tenant, in milliseconds since 1970. Missing if it does not. */
  since?: number | undefined;
  /** When the last notice of the present trouble was sent, in milliseconds since 1970. Missing before the first. */
  lastNoticeAt?: number | undefined;
  /** Milliseconds since 1970 of each notice of the last day. */
  sentAt?: readonly number[] | undefined;
  pending?: PendingNotice | undefined;
};

/** Between two notices of the same trouble. */
const reminderMs = 24 * hours;
/** For one target, in any 24 hours. */
const mostNoticesADay = 4;

const recent = ({ sentAt = [] }: TargetNotices, now: number): readonly number[] =>
  sentAt.filter((at) => at > now - 24 * hours);

/** Notes since when the target waits for its tenant, or that it no longer does. A pause neither ends a trouble nor begins one. */
export function observed(before: TargetNotices, target: Target, now: number): TargetNotices {
  if (target.state === 'paused') return before;
  const { since, ...notices } = before;
  return waitsForTenant(target, now) ? { since: since ?? startOf(target, now), ...notices } : notices;
}

/** A fault that passed by itself at first has lasted as long as events have waited. */
const startOf = (target: Target, now: number): number =>
  now - (faultOf(target)?.lastingActor ? (oldestWaitingAge(target, now) ?? 0) : 0);

/** @param patienceMs how long a trouble lasts before it is told */
export function duePhase(notices: TargetNotices, now: number, patienceMs: number): Phase | undefined {
  return recent(notices, now).length < mostNoticesADay ? nextPhase(notices, now, patienceMs) : undefined;
}

function nextPhase(
  { since, lastNoticeAt }: TargetNotices,
  now: number,
  patienceMs: number,
): Phase | undefined {
  const isTrouble = since !== undefined;
  if (lastNoticeAt === undefined) return isTrouble && now - since >= patienceMs ? 'started' : undefined;
  if (!isTrouble) return 'ended';
  return now - lastNoticeAt >= reminderMs ? 'continues' : undefined;
}

/** A call or mail takes less, so who finds a claim that is older finds one whose sender died. */
const claimMs = 1 * minutes;

export const claimed = (before: TargetNotices, phase: Phase, now: number) => ({
  ...(phase !== 'ended' && { since: before.since, lastNoticeAt: now }),
  sentAt: [...recent(before, now), now],
  pending: { id: randomUUID(), phase, claimedAt: now, nextAt: now + claimMs, tries: 0 },
});

export const isDue = (pending: PendingNotice | undefined, now: number): boolean =>
  pending?.nextAt !== undefined && pending.nextAt <= now;

/** Somebody takes the notice to send it now, after the first attempt failed or its sender died. */
export const taken = (pending: PendingNotice, now: number): PendingNotice => ({
  ...pending,
  nextAt: now + claimMs,
});

const firstPauseMs = 5 * minutes;
/** From the first attempt to the last. */
const triedForMs = 1 * hours;

export function afterFailure(
  { nextAt: _, ...pending }: PendingNotice,
  fault: string,
  now: number,
): PendingNotice {
  const tries = pending.tries + 1;
  const lastAt = pending.claimedAt + triedForMs;
  const nextAt = Math.min(lastAt, now + firstPauseMs * 2 ** (tries - 1));
  return { ...pending, tries, fault, ...(now < lastAt && { nextAt }) };
}
