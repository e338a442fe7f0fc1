import type { PushLimits } from '../tenants/tenant.ts';
import { hours, minutes, seconds } from '../kernel/time.ts';

/**
 * The recent confirmations of one user: the open confirmation of each device, and what the push limits count. An expired
 * confirmation is counted when the history is next read, so the expiry costs no write of the history.
 */
export type PushHistory = {
  open: Record<string, { challengeId: string; expiresAt: number }>;
  /** When pushes were sent in the last 24 hours. */
  sentAt: number[];
  /** Confirmations in a row that were denied, expired or failed. */
  unsuccessfulInARow: number;
  lastUnsuccessfulAt?: number;
  notMeAt?: number;
  /** The device of the last confirmation that was confirmed. */
  lastConfirmedOn?: string;
};

export const emptyHistory: PushHistory = { open: {}, sentAt: [], unsuccessfulInARow: 0 };

export type Outcome = { end: 'confirmed'; deviceId: string } | { end: 'denied' | 'failed'; notMe?: boolean };

const without = <T>(record: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

const countUnsuccessful = (history: PushHistory, at: number): PushHistory => ({
  ...history,
  unsuccessfulInARow: history.unsuccessfulInARow + 1,
  lastUnsuccessfulAt: Math.max(at, history.lastUnsuccessfulAt ?? 0),
});

/** Removes the open confirmations that have expired, and counts them in the order of their expiry. */
export function closeExpired(history: PushHistory, now: number): PushHistory {
  const over = Object.entries(history.open)
    .filter(([, open]) => open.expiresAt <= now)
    .sort(([, a], [, b]) => a.expiresAt - b.expiresAt);
  return over.reduce(
    (closed, [deviceId, { expiresAt }]) => ({
      ...countUnsuccessful(closed, expiresAt),
      open: without(closed.open, deviceId),
    }),
    history,
  );
}

export function recordSent(
  history: PushHistory,
  sent: { deviceId: string; challengeId: string; expiresAt: number; now: number },
): PushHistory {
  const closed = closeExpired(history, sent.now);
  return {
    ...closed,
    open: {
      ...closed.open,
      [sent.deviceId]: { challengeId: sent.challengeId, expiresAt: sent.expiresAt },
    },
    sentAt: [...closed.sentAt.filter((at) => at > sent.now - 24 * hours), sent.now],
  };
}

/** The open confirmations that {@link closeExpired} will count. The caller first makes sure that none was answered. */
export const expiredChallengeIds = (history: PushHistory, now: number): string[] =>
  Object.values(history.open)
    .filter(({ expiresAt }) => expiresAt <= now)
    .map(({ challengeId }) => challengeId);

/** Removes the open confirmation of a removed device. It counts neither as successful nor as unsuccessful. */
export function forgetDevice(history: PushHistory, deviceId: string, now: number): PushHistory {
  const closed = closeExpired(history, now);
  return { ...closed, open: without(closed.open, deviceId) };
}

export function recordOutcome(
  history: PushHistory,
  challengeId: string,
  outcome: Outcome,
  now: number,
): PushHistory {
  const closed = closeExpired(history, now);
  const others = Object.entries(closed.open).filter(([, open]) => open.challengeId !== challengeId);
  const ended = { ...closed, open: Object.fromEntries(others) };
  if (outcome.end === 'confirmed')
    return { ...ended, unsuccessfulInARow: 0, lastConfirmedOn: outcome.deviceId };
  return { ...countUnsuccessful(ended, now), ...(outcome.notMe && { notMeAt: now }) };
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

/** The time from which the user may be asked again; not after now if that is possible now. Call {@link closeExpired} before. */
export const nextPushAt = (history: PushHistory, limits: PushLimits): number =>
  Math.max(
    windowEnds(history.sentAt, limits.perTenMinutes, 10 * minutes),
    windowEnds(history.sentAt, limits.perDay, 24 * hours),
    pauseEnds(history, limits),
    history.notMeAt === undefined ? 0 : history.notMeAt + limits.notMePauseSeconds * seconds,
  );
