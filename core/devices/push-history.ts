import type { PushLimits } from '../tenants/tenant.ts';
import { withAskedTime } from './asked-times.ts';
import type { Recovery } from './recovery.ts';
import { hours, minutes, seconds } from '../kernel/time.ts';

export type OpenConfirmation = {
  challengeId: string;
  expiresAt: number;
  /** It is open on all devices of the user, and has an entry for each. */
  isShared?: true;
};

/**
 * What the service remembers of one user: the open confirmations of each device, what the push limits count, and whether the
 * user is new. An expired confirmation is counted when the history is next read, so the expiry costs no write of the history.
 */
export type PushHistory = {
  /** What apps show in place of the user's id. It is here because every call that shows it reads the history. */
  accountLabel?: string;
  /** When the website last said which label the account has, or that it has none. An older code does not change it. */
  accountLabelAt?: number;
  /** By {@link openKey}. */
  open: Record<string, OpenConfirmation>;
  /** When pushes were sent in the last 24 hours, without those that were withdrawn. */
  sentAt: number[];
  /** When questions were withdrawn in the last hour. They count in no other limit. */
  withdrawnAt: number[];
  /** Confirmations in a row that were denied, expired or failed. */
  unsuccessfulInARow: number;
  lastUnsuccessfulAt?: number;
  notMeAt?: number;
  /** The device of the last confirmation that was confirmed. */
  lastConfirmedOn?: string;
  /** The user has or had a device. */
  hadDevice?: true;
  /** When the user was asked in the last 14 days, as `asked-times.ts` packs it. The events have the rest. */
  asked?: Uint8Array;
  /** The help desk suspended the user: nobody may ask, and no device enrols or answers. */
  suspendedAt?: number;
  /** The latest recovery that the help desk was asked for. */
  recovery?: Recovery;
};

export const emptyHistory: PushHistory = { open: {}, sentAt: [], withdrawnAt: [], unsuccessfulInARow: 0 };

/** A question that its website withdrew: when it was sent, and when it was withdrawn. */
export type Withdrawal = { sentAt: number; at: number };

export type Outcome = { end: 'confirmed'; deviceId: string } | { end: 'denied' | 'failed'; notMe?: boolean };

/** Which of a device's open confirmations an entry is. The first slot has no number, and the device's id as its key. */
export type Slot = number | undefined;

/** Ids of devices are UUIDs, so the keys of two devices differ. */
export const openKey = (deviceId: string, slot: Slot): string =>
  slot === undefined ? deviceId : `${deviceId}#${slot}`;

export const deviceOfKey = (key: string): string => key.replace(/#.*$/, '');

const isOf = (deviceId: string, key: string): boolean => deviceOfKey(key) === deviceId;

/** The open confirmations of a device, the next to expire first. */
export const openOn = ({ open }: PushHistory, deviceId: string): OpenConfirmation[] =>
  Object.entries(open)
    .filter(([key]) => isOf(deviceId, key))
    .map(([, entry]) => entry)
    .sort((a, b) => a.expiresAt - b.expiresAt);

/** The open confirmation of a device after whose expiry one more is allowed; undefined if one more is allowed now. */
export const blockingOn = (
  history: PushHistory,
  deviceId: string,
  openPerDevice: number,
): OpenConfirmation | undefined => {
  const open = openOn(history, deviceId);
  return open[open.length - openPerDevice];
};

/** The first slot of a device without an open confirmation. */
export function freeSlot({ open }: PushHistory, deviceId: string): Slot {
  if (!(deviceId in open)) return undefined;
  let slot = 2;
  while (openKey(deviceId, slot) in open) slot += 1;
  return slot;
}

const countUnsuccessful = (history: PushHistory, at: number): PushHistory => ({
  ...history,
  unsuccessfulInARow: history.unsuccessfulInARow + 1,
  lastUnsuccessfulAt: Math.max(at, history.lastUnsuccessfulAt ?? 0),
});

/** One entry of each open confirmation, however many devices it is open on. */
const openOnce = ({ open }: PushHistory): OpenConfirmation[] => [
  ...new Map(Object.values(open).map((entry) => [entry.challengeId, entry])).values(),
];

/** Removes the open confirmations that have expired, and counts each once, in the order of their expiry. */
export function closeExpired(history: PushHistory, now: number): PushHistory {
  const over = openOnce(history)
    .filter(({ expiresAt }) => expiresAt <= now)
    .sort((a, b) => a.expiresAt - b.expiresAt);
  const closed = forgetChallenges(history, new Set(over.map(({ challengeId }) => challengeId)));
  return over.reduce((counted, { expiresAt }) => countUnsuccessful(counted, expiresAt), closed);
}

export function recordSent(
  history: PushHistory,
  { keys, now, ...entry }: OpenConfirmation & { keys: readonly string[]; now: number },
): PushHistory {
  const closed = closeExpired(history, now);
  return {
    ...closed,
    open: { ...closed.open, ...Object.fromEntries(keys.map((key) => [key, entry])) },
    sentAt: [...closed.sentAt.filter((at) => at > now - 24 * hours), now],
    withdrawnAt: closed.withdrawnAt.filter((at) => at > now - 1 * hours),
    asked: withAskedTime(closed.asked, now),
  };
}

const withoutOne = (times: number[], time: number): number[] => {
  const index = times.indexOf(time);
  return index === -1 ? times : times.toSpliced(index, 1);
};

/** The push of a withdrawn question counts as a withdrawal, and no longer as a push. */
export const recordWithdrawal = (history: PushHistory, { sentAt, at }: Withdrawal): PushHistory => ({
  ...history,
  sentAt: withoutOne(history.sentAt, sentAt),
  withdrawnAt: [...history.withdrawnAt, at],
});

/** The open confirmations that {@link closeExpired} will count. The caller first makes sure that none was answered. */
export const expiredChallengeIds = (history: PushHistory, now: number): string[] =>
  openOnce(history)
    .filter(({ expiresAt }) => expiresAt <= now)
    .map(({ challengeId }) => challengeId);

/** The challenge ids of the open confirmations, each once. */
export const openChallengeIds = (history: PushHistory, now: number): string[] =>
  openOnce(history)
    .filter(({ expiresAt }) => expiresAt > now)
    .map(({ challengeId }) => challengeId);

/** Removes the open confirmations of a removed device. They count neither as successful nor as unsuccessful. */
export function forgetDevice(history: PushHistory, deviceId: string, now: number): PushHistory {
  const closed = closeExpired(history, now);
  const others = Object.entries(closed.open).filter(([key]) => !isOf(deviceId, key));
  return { ...closed, open: Object.fromEntries(others) };
}

/** Removes open confirmations without counting them. */
export const forgetChallenges = (history: PushHistory, challengeIds: ReadonlySet<string>): PushHistory => ({
  ...history,
  open: Object.fromEntries(
    Object.entries(history.open).filter(([, { challengeId }]) => !challengeIds.has(challengeId)),
  ),
});

export function recordOutcome(
  history: PushHistory,
  challengeId: string,
  outcome: Outcome,
  now: number,
): PushHistory {
  const closed = closeExpired(history, now);
  if (closed.recovery?.question?.challengeId === challengeId)
    return withAnswer(closed, closed.recovery, outcome, now);
  const ended = forgetChallenges(closed, new Set([challengeId]));
  if (outcome.end === 'confirmed')
    return { ...ended, unsuccessfulInARow: 0, lastConfirmedOn: outcome.deviceId };
  return { ...countUnsuccessful(ended, now), ...(outcome.notMe && { notMeAt: now }) };
}

/** A denial stops the recovery. The question is none of a website's, so it counts in no limit. */
const withAnswer = (history: PushHistory, recovery: Recovery, outcome: Outcome, now: number): PushHistory =>
  outcome.end === 'denied'
    ? {
        ...history,
        recovery: { ...recovery, stoppedAt: now },
        ...(outcome.notMe === true && { notMeAt: now }),
      }
    : history;

/** Questions to a user that may be withdrawn in any hour before nobody may ask again. */
const withdrawnPerHour = 10;

/** The count of a limit, and from when on this limit allows asking again. */
export type PushLimit = {
  limit: 'perTenMinutes' | 'perDay' | 'withdrawnPerHour' | 'unsuccessfulInARow' | 'notMe';
  counted: number;
  allowed: number;
  until: number;
};

type Window = { allowed: number; length: number; now: number };

/** A time that is ahead of this clock counts as now, so that no window ends later than after its length. */
function inWindow(times: number[], { allowed, length, now }: Window): Omit<PushLimit, 'limit'> {
  const past = times.map((at) => Math.min(at, now)).sort((a, b) => a - b);
  const earliestOfFull = past.at(-allowed);
  return {
    counted: past.filter((at) => at > now - length).length,
    allowed,
    until: earliestOfFull === undefined ? 0 : earliestOfFull + length,
  };
}

const pauseEnds = (history: PushHistory, limits: PushLimits): number => {
  const beyond = history.unsuccessfulInARow - limits.pauseAfter;
  if (beyond < 0) return 0;
  const pause = Math.min(limits.pauseSeconds * 2 ** beyond, limits.longestPauseSeconds);
  return (history.lastUnsuccessfulAt ?? 0) + pause * seconds;
};

/** Every limit, whether it is reached or not. Call {@link closeExpired} before. */
export function pushLimitsOf(history: PushHistory, limits: PushLimits, now: number): PushLimit[] {
  const { perTenMinutes, perDay, pauseAfter, notMePauseSeconds } = limits;
  const notMeUntil = history.notMeAt === undefined ? 0 : history.notMeAt + notMePauseSeconds * seconds;
  const window = (times: number[], allowed: number, length: number) =>
    inWindow(times, { allowed, length, now });
  return [
    { limit: 'perTenMinutes', ...window(history.sentAt, perTenMinutes, 10 * minutes) },
    { limit: 'perDay', ...window(history.sentAt, perDay, 24 * hours) },
    { limit: 'withdrawnPerHour', ...window(history.withdrawnAt, withdrawnPerHour, 1 * hours) },
    {
      limit: 'unsuccessfulInARow',
      counted: history.unsuccessfulInARow,
      allowed: pauseAfter,
      until: pauseEnds(history, limits),
    },
    { limit: 'notMe', counted: notMeUntil > now ? 1 : 0, allowed: 1, until: notMeUntil },
  ];
}

/** The limit that holds longest, if the user may not be asked now. */
export const reachedLimit = (history: PushHistory, limits: PushLimits, now: number): PushLimit | undefined =>
  pushLimitsOf(history, limits, now)
    .filter(({ until }) => until > now)
    .toSorted((a, b) => b.until - a.until)
    .at(0);

/**
 * Clears everything that limits count. Open confirmations stay, except expired ones, which the next write would count.
 */
export function resetLimits(history: PushHistory, now: number): PushHistory {
  const { open, lastUnsuccessfulAt: _lastUnsuccessfulAt, notMeAt: _notMeAt, ...rest } = history;
  const pending = Object.entries(open).filter(([, { expiresAt }]) => expiresAt > now);
  return { ...rest, open: Object.fromEntries(pending), sentAt: [], withdrawnAt: [], unsuccessfulInARow: 0 };
}
