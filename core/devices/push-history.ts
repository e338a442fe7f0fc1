import type { PushLimits } from '../tenants/tenant.ts';
import { hours, minutes, seconds } from '../kernel/time.ts';

export type OpenConfirmation = { challengeId: string; expiresAt: number };

/**
 * The recent confirmations of one user: the open confirmations of each device, and what the push limits count. An expired
 * confirmation is counted when the history is next read, so the expiry costs no write of the history.
 */
export type PushHistory = {
  /** By {@link openKey}. */
  open: Record<string, OpenConfirmation>;
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

/**
 * Which of a device's open confirmations an entry is. The first slot has no number, and the device's id as its key: so an
 * earlier version, which knows one confirmation of a device, reads and writes the same entry.
 */
export type Slot = number | undefined;

/** Ids of devices are UUIDs, so the keys of two devices differ. */
export const openKey = (deviceId: string, slot: Slot): string =>
  slot === undefined ? deviceId : `${deviceId}#${slot}`;

const isOf = (deviceId: string, key: string): boolean => key === deviceId || key.startsWith(`${deviceId}#`);

/** The open confirmations of a device, the next to expire first. */
export const openOn = ({ open }: PushHistory, deviceId: string): OpenConfirmation[] =>
  Object.entries(open)
    .filter(([key]) => isOf(deviceId, key))
    .map(([, entry]) => entry)
    .sort((a, b) => a.expiresAt - b.expiresAt);

/** The first slot of a device without an open confirmation. */
export function freeSlot({ open }: PushHistory, deviceId: string): Slot {
  if (!(deviceId in open)) return undefined;
  let slot = 2;
  while (openKey(deviceId, slot) in open) slot += 1;
  return slot;
}

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
    (closed, [key, { expiresAt }]) => ({
      ...countUnsuccessful(closed, expiresAt),
      open: without(closed.open, key),
    }),
    history,
  );
}

export function recordSent(
  history: PushHistory,
  sent: { deviceId: string; slot?: Slot; challengeId: string; expiresAt: number; now: number },
): PushHistory {
  const closed = closeExpired(history, sent.now);
  return {
    ...closed,
    open: {
      ...closed.open,
      [openKey(sent.deviceId, sent.slot)]: { challengeId: sent.challengeId, expiresAt: sent.expiresAt },
    },
    sentAt: [...closed.sentAt.filter((at) => at > sent.now - 24 * hours), sent.now],
  };
}

/** The open confirmations that {@link closeExpired} will count. The caller first makes sure that none was answered. */
export const expiredChallengeIds = (history: PushHistory, now: number): string[] =>
  Object.values(history.open)
    .filter(({ expiresAt }) => expiresAt <= now)
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
  const ended = forgetChallenges(closed, new Set([challengeId]));
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
