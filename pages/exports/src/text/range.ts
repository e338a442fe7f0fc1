/** The range of a replay, as the fields of the form have it: `2026-11-22T09:30` in UTC, or nothing for now. */

export const hourMs = 3_600_000;
/** The service keeps events this long. */
export const keptMs = 14 * 24 * hourMs;

export const fieldOf = (time: number): string => new Date(time).toISOString().slice(0, 16);

/** @returns not a number for an empty or incomplete field */
export const timeOfField = (field: string): number => Date.parse(`${field}:00.000Z`);

export type RangeProblem = { field: 'from' | 'to'; text: string };

export type Range = { from: string; to: string };

/** The range to ask for, or what is wrong with it. Without an end it ends now. */
export function rangeOf(from: string, to: string, now: number): Range | RangeProblem {
  const start = timeOfField(from);
  if (Number.isNaN(start))
    return { field: 'from', text: 'Choose the time from which events are sent again.' };
  const end = to === '' ? now : timeOfField(to);
  if (Number.isNaN(end))
    return { field: 'to', text: 'Choose a complete time, or leave the field empty for now.' };
  if (start >= now) return { field: 'from', text: 'This time is in the future.' };
  if (end <= start) return { field: 'to', text: 'The end must be later than the beginning.' };
  if (end <= now - keptMs)
    return { field: 'to', text: 'Events are kept for 14 days. Those of this range are gone.' };
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

export const isProblem = (range: Range | RangeProblem): range is RangeProblem => 'field' in range;

/** The share of a replay that is processed, from 0 to 1. */
export function progressOf({
  from,
  to,
  state,
  cursorHour,
}: {
  from: string;
  to: string;
  state: string;
  cursorHour?: string | null;
}): number {
  if (state === 'done') return 1;
  const hour = Date.parse(`${(cursorHour ?? '').slice(0, 13)}:00:00.000Z`);
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (Number.isNaN(hour) || !(end > start)) return 0;
  return Math.min(1, Math.max(0, (hour - start) / (end - start)));
}
