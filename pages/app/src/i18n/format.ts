import type { Remaining } from '../text/remaining-time.ts';
import type { Language } from './texts.ts';
import type { Texts } from './en.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "1 minute 5 seconds", or "2 hours 1 minute", in words. */
export function remainingText({ units }: Texts, { hours, minutes, seconds }: Remaining): string {
  if (hours > 0) return [units.hours(hours), ...(minutes > 0 ? [units.minutes(minutes)] : [])].join(' ');
  const parts = [
    ...(minutes > 0 ? [units.minutes(minutes)] : []),
    ...(seconds > 0 || minutes === 0 ? [units.seconds(seconds)] : []),
  ];
  return parts.join(' ');
}

/** The largest unit that fits, for a difference whose exact size does not matter. */
export function roughText({ units }: Texts, milliseconds: number): string {
  const size = Math.abs(milliseconds);
  if (size >= 2 * DAY) return units.days(Math.round(size / DAY));
  if (size >= 2 * HOUR) return units.hours(Math.round(size / HOUR));
  return units.minutes(Math.max(1, Math.round(size / MINUTE)));
}

/** "2 minutes ago", or "now" within the first minute. */
export function agoText(language: Language, milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (age >= 2 * DAY) return words.format(-Math.floor(age / DAY), 'day');
  if (age >= HOUR) return words.format(-Math.floor(age / HOUR), 'hour');
  return age >= MINUTE ? words.format(-Math.floor(age / MINUTE), 'minute') : words.format(0, 'second');
}

export const dateText = (language: Language, time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(time);

export const momentText = (language: Language, time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
