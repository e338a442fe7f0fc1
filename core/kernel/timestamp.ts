import * as v from 'valibot';
import { isDateOfCalendar } from './time.ts';

const expected = 'expected a time with Z or an offset, for example 2026-03-01T08:30:00Z';

/** Milliseconds since 1970, from an ISO 8601 time with an offset. So it does not depend on a time zone. */
export const timestamp = v.pipe(
  v.string(expected),
  v.isoTimestamp(expected),
  v.check(isDateOfCalendar, expected),
  v.transform((text) => Date.parse(text)),
  v.number(expected),
);
