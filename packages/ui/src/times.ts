/** Times as people read them. All are in UTC, like the hours of the ledger. */

const pad = (value: number): string => String(value).padStart(2, '0');

/** `22 Nov 2026, 09:30 UTC` */
export function timeText(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${day}, ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())} UTC`;
}

/** `22 Nov, 09:00` for an hour of the ledger. */
export function hourText(hour: string): string {
  const date = new Date(hour);
  if (Number.isNaN(date.getTime())) return hour;
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return `${day}, ${pad(date.getUTCHours())}:00`;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** `3 minutes`; less than a second is `a moment`. */
export function durationText(milliseconds: number): string {
  const found = units.find(([, each]) => milliseconds >= each);
  if (!found) return 'a moment';
  const [unit, size] = found;
  return plural(Math.floor(milliseconds / size), unit);
}

/** `3 minutes ago`; a time to come is `in 3 minutes`. */
export function agoText(time: string, now: number): string {
  const difference = now - Date.parse(time);
  if (Number.isNaN(difference)) return time;
  return difference >= 0 ? `${durationText(difference)} ago` : `in ${durationText(-difference)}`;
}

export const countText = (count: number): string => count.toLocaleString('en-GB');

export const eventsText = (count: number): string =>
  `${countText(count)} ${count === 1 ? 'event' : 'events'}`;
