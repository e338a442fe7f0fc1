import { hourOf } from '../../events/event-keys.ts';
import { retention } from '../../kernel/retention.ts';
import { hours, minutes, seconds } from '../../kernel/time.ts';

/**
 * After this time no event is added to those of an earlier time of acceptance. The time of acceptance is taken before the
 * event's transaction, and the Lambda that commits it may run for 30 seconds. The index follows within a second.
 */
export const settledAfterMs = 60 * seconds;

/** The index has no upper limit for how late it is. So what was counted earlier than this after the hour's end is counted once more. */
const surelyIndexedAfterMs = 15 * minutes;

/** When the hour begins, in milliseconds since 1970. */
export const startOf = (hour: string): number => Date.parse(`${hour}:00:00Z`);
export const endOf = (hour: string): number => startOf(hour) + hours;

export const isFinal = (hour: string, now: number): boolean => now >= endOf(hour) + settledAfterMs;

/** True if a count that began then is of use now. */
export const isOfUse = (hour: string, begun: number, now: number): boolean => {
  const surely = endOf(hour) + surelyIndexedAfterMs;
  return begun >= surely || now < surely;
};

/** The first hour whose events are all stored still. */
export const firstHour = (now: number): string => hourOf(now - retention.event + hours - 1);

/** The hours of a range, oldest first, as far as their events are stored. */
export function hoursOf({ from, to }: { from: number; to: number }, now: number): string[] {
  const found: string[] = [];
  const end = Math.min(to, now + 1);
  const begin = Math.max(startOf(hourOf(from)), startOf(firstHour(now)));
  for (let start = begin; start < end; start += hours) found.push(hourOf(start));
  return found;
}
