import type { PushLimits } from '../tenants/tenant.ts';
import { hours, minutes, seconds } from '../kernel/time.ts';

/**
 * What one user of one tenant was asked lately: the open confirmation of each device, and what the limits
 * count. A confirmation that expired is counted when the history is next read, so expiry costs no write.
 */
export type PushHistory = {
  open: Record<string, { challengeId: string; expiresAt: number }>;
  /** When pushes were sent in the last 24 hours. */
  sentAt: number[];
  /** Confirmations in a row that ended denied, expired or failed. */
  unsuccessfulInARow: number;
  lastUnsuccessfulAt?: number;
  notMeAt?: number;
};

export const emptyHistory: PushHistory = { open: {}, sentAt: [], unsuccessfulInARow: 0 };

export type Outcome = { end: 'confirmed' | 'denied' | 'failed'; notMe?: boolean };

const without = <T>(record: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

const countUnsuccessful = (history: PushHistory, at: number): PushHistory => ({
  ...history,
  unsuccessfulInARow: history.unsuccessfulInARow + 1,
  lastUnsuccessfulAt: Math.max(at, history.lastUnsuccessfulAt ?? 0),
});

/** Counts the open confirmations whose time is over, in the order in which they expired. */
export function closeExpired(history: PushHistory, now: number): PushHistory {
  const over = Object.entries(history.open)
    .filter(([, open]) => open.expiresAt <= now)
    .sort(([, a], [, b]) => a.expiresAt - b.expiresAt);
  return over.reduce(
    (settled, [deviceId, { expiresAt }]) => ({
      ...countUnsuccessful(settled, expiresAt),
      open: without(settled.open, deviceId),
    }),
    history,
  );
}

export function recordSent(
  history: PushHistory,
  sent: { deviceId: string; challengeId: string; expiresAt: number; now: number },
): PushHistory {
  const settled = closeExpired(history, sent.now);
  return {
    ...settled,
    open: {
      ...settled.open,
      [sent.deviceId]: { challengeId: sent.challengeId, expiresAt: sent.expiresAt },
    },
    sentAt: [...settled.sentAt.filter((at) => at > sent.now - 24 * hours), sent.now],
  };
}

/** The open confirmations whose time is over: whoever settles them makes sure first that none was answered. */
export const expiredChallengeIds = (history: PushHistory, now: number): string[] =>
  Object.values(history.open)
    .filter(({ expiresAt }) => expiresAt <= now)
    .map(({ challengeId }) => challengeId);

/** Closes what is open on a device that goes. It counts neither way. */
export function forgetDevice(history: PushHistory, deviceId: string, now: number): PushHistory {
  const settled = closeExpired(history, now);
  return { ...settled, open: without(settled.open, deviceId) };
}

/** Counts how a confirmation ended. */
export function recordOutcome(
  history: PushHistory,
  challengeId: string,
  { end, notMe }: Outcome,
  now: number,
): PushHistory {
  const settled = closeExpired(history, now);
  const others = Object.entries(settled.open).filter(([, open]) => open.challengeId !== challengeId);
  const closed = { ...settled, open: Object.fromEntries(others) };
  if (end === 'confirmed') return { ...closed, unsuccessfulInARow: 0 };
  return { ...countUnsuccessful(closed, now), ...(notMe && { notMeAt: now }) };
}

const windowEnds = (sentAt: number[], limit: number, window: number): number => {
  const earliestOfFull = sentAt.toSorted((a, b) => a - b).at(-limit);
  return earliestOfFull === undefined ? 0 : earliestOfFull + window;
};

const pauseEnds = (history: PushHistory, limits: PushLimits): number => {
  const beyond = history.unsuccessfulInARow - limits.pauseAfter;
  if (beyond < 0) return 0;
  const pause = Math.min(limits.pauseSeconds * 2 ** beyond, limits.longestPauseSeconds);
  return (history.lastUnsuccessfulAt ?? 0) + pause * seconds;
};

/**
 * The moment from which the user may be asked again (contract part 1, push limits); in the past when that is now.
 * Expects a settled history.
 */
export const nextPushAt = (history: PushHistory, limits: PushLimits): number =>
  Math.max(
    windowEnds(history.sentAt, limits.perTenMinutes, 10 * minutes),
    windowEnds(history.sentAt, limits.perDay, 24 * hours),
    pauseEnds(history, limits),
    history.notMeAt === undefined ? 0 : history.notMeAt + limits.notMePauseSeconds * seconds,
  );
