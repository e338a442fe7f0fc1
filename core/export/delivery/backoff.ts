/** Seconds. */
export type Backoff = { shortest: number; longest: number };

/**
 * Seconds until a parked record is tried again: twice as long each time, up to the longest; and not all at the same
 * time, for those that failed together.
 *
 * @param attempt the one that failed, from 1 on
 */
export function redeliveryWait(
  attempt: number,
  { shortest, longest }: Backoff,
  random = Math.random(),
): number {
  const wait = Math.min(longest, shortest * 2 ** (attempt - 1));
  return Math.max(1, Math.round(wait * (0.5 + random / 2)));
}
