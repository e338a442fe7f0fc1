import type { LedgerHour } from '../api/shapes.ts';

/** Newest first, as a table shows them. */
export const newestFirst = (hours: readonly LedgerHour[]): LedgerHour[] =>
  hours.toSorted((one, other) => Date.parse(other.hour) - Date.parse(one.hour));

export const totalOf = (hours: readonly LedgerHour[]): number =>
  hours.reduce((sum, { count }) => sum + count, 0);

export const mostOf = (hours: readonly LedgerHour[]): number =>
  hours.reduce((most, { count }) => Math.max(most, count), 0);

/** All types of the hours, the most frequent first. */
export function typesOf(hours: readonly LedgerHour[]): string[] {
  const counts = new Map<string, number>();
  for (const { types } of hours)
    for (const [type, { count }] of Object.entries(types)) counts.set(type, (counts.get(type) ?? 0) + count);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([type]) => type);
}
