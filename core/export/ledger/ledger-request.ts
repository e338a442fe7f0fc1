import { hourOf } from '../../events/event-keys.ts';
import { invalidField, refusalOf } from '../../kernel/refusal.ts';
import { isDateOfCalendar } from '../../kernel/time.ts';
import { firstHour, startOf } from './hour.ts';
import type { LedgerRange } from './read-ledger.ts';

const unknownDate = 'expected a date that exists';
const gone = 'expected a time of the last 14 days: earlier events are no longer stored';

/**
 * The range of a request.
 *
 * @throws {Refusal} if no hour of the ledger is in it
 */
export function rangeOf(times: { from: string; to: string }, now: number): LedgerRange {
  const { from, to } = rangeOfTimes(times);
  if (from > now) throw invalidField('#/query/from', 'expected a time that is not in the future');
  if (to <= startOf(firstHour(now))) throw invalidField('#/query/to', gone);
  return { from, to };
}

/**
 * Two times, the first before the second.
 *
 * @throws {Refusal} `invalid-request`
 */
export function rangeOfTimes(times: { from: string; to: string }): LedgerRange {
  const unreadable = Object.entries(times).filter(([, text]) => !isDateOfCalendar(text));
  const refusal = refusalOf(
    unreadable.map(([name]) => ({ pointer: `#/query/${name}`, detail: unknownDate })),
  );
  if (refusal) throw refusal;
  const [from, to] = [Date.parse(times.from), Date.parse(times.to)];
  if (from >= to) throw invalidField('#/query/to', 'expected a time after from');
  return { from, to };
}

/**
 * The hour of a request, as the index names it.
 *
 * @throws {Refusal} if the ledger does not have it
 */
export function hourOfRequest(text: string, now: number): string {
  const hour = text.slice(0, 13);
  const start = startOf(hour);
  // `Date` reads the 24th hour of a day as the first one of the next.
  if (Number.isNaN(start) || hourOf(start) !== hour)
    throw invalidField('#/path/hour', 'expected an hour that exists');
  if (start > now) throw invalidField('#/path/hour', 'expected an hour that is not in the future');
  if (hour < firstHour(now)) throw invalidField('#/path/hour', gone);
  return hour;
}
