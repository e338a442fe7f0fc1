import type { Remaining } from '../text/remaining-time.ts';
import type { Language } from './texts.ts';
import type { Texts } from './en.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

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
  if (size >= 2 * dayMs) return units.days(Math.round(size / dayMs));
  if (size >= 2 * hourMs) return units.hours(Math.round(size / hourMs));
  return units.minutes(Math.max(1, Math.round(size / minuteMs)));
}

/** "2 minutes ago", or "now" within the first minute. */
export function agoText(language: Language, milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (age >= 2 * dayMs) return words.format(-Math.floor(age / dayMs), 'day');
  if (age >= hourMs) return words.format(-Math.floor(age / hourMs), 'hour');
  return age >= minuteMs ? words.format(-Math.floor(age / minuteMs), 'minute') : words.format(0, 'second');
}

export const dateText = (language: Language, time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(time);

export const momentText = (language: Language, time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
