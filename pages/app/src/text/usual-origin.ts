import type { HistoryEntry } from '../platform/index.ts';
import type { RequestOrigin } from './request-origin.ts';

/** An address changes from day to day; browser and place say whether it is the user's usual one. */
const isSame = (one: RequestOrigin, other: RequestOrigin): boolean =>
  one.browser === other.browser && one.place === other.place;

/**
 * Where the user last confirmed from, if this request comes from somewhere else than any that was confirmed on this device before.
 * Without a confirmed one nothing is usual yet.
 *
 * @param history newest first
 */
export function usualInsteadOf(
  origin: RequestOrigin,
  deviceId: string,
  history: readonly HistoryEntry[] = [],
): RequestOrigin | undefined {
  const known = history.flatMap((entry) =>
    entry.deviceId === deviceId && entry.outcome === 'confirmed' && entry.requestedFrom
      ? [entry.requestedFrom]
      : [],
  );
  return known.some((before) => isSame(before, origin)) ? undefined : known[0];
}
