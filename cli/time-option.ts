import type { Option } from 'commander';
import * as v from 'valibot';
import { isDateOfCalendar } from '../core/kernel/time.ts';
import { checkedOption } from './options.ts';

/** With an offset, so that it does not depend on the time zone of this machine. */
const time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check(isDateOfCalendar),
  v.transform((text) => Date.parse(text)),
  v.number(),
);

/** A required time, in milliseconds since 1970. */
export const timeOption = (flags: string, description: string): Option =>
  checkedOption(flags, description, time, {
    expected: 'a time with Z or an offset',
    example: '2026-03-01T08:30:00Z',
  }).makeOptionMandatory();
