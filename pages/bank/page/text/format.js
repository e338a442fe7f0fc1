/**
 * @param {number} amount
 * @param {string} currency
 */
export const money = (amount, currency = 'EUR') =>
  new Intl.NumberFormat('en-IE', { style: 'currency', currency }).format(amount);

/** @param {string | number} at */
export const clockTime = (at) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(
    new Date(at),
  );

/** @param {string | number} at */
export const shortTime = (at) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));

/**
 * What is left, as clocks show it, such as `1:05` or `2:01:05`. Rounded up, so that the last second is shown as 1 and not as 0.
 *
 * @param {number} milliseconds
 */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/**
 * The same in words, for screen readers.
 *
 * @param {number} milliseconds
 */
export function countdownWords(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    seconds % 60,
  ];
  if (hours > 0)
    return [plural(hours, 'hour'), minutes > 0 && plural(minutes, 'minute')].filter(Boolean).join(' and ');
  return [minutes > 0 && plural(minutes, 'minute'), (rest > 0 || minutes === 0) && plural(rest, 'second')]
    .filter(Boolean)
    .join(' and ');
}

/**
 * How long ago, in words, such as "2 minutes ago".
 *
 * @param {string} at
 * @param {number} now
 */
export function ago(at, now) {
  const minutes = Math.floor(Math.max(0, now - Date.parse(at)) / 60_000);
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (minutes >= 60) return words.format(-Math.floor(minutes / 60), 'hour');
  return minutes > 0 ? words.format(-minutes, 'minute') : words.format(0, 'second');
}

/**
 * @param {number} count
 * @param {string} word
 */
export const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
