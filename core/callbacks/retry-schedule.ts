import { hours, minutes, seconds } from '../kernel/time.ts';

/** Before each further attempt. The last one is made less than 24 h after the first, while the confirmation is kept. */
const pauses = [
  1 * seconds,
  5 * seconds,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  30 * minutes,
  1 * hours,
  2 * hours,
  4 * hours,
  6 * hours,
  10 * hours,
] as const;

/**
 * When a callback is to be sent again, in milliseconds since 1970.
 *
 * @param attempts how many have failed
 * @param demanded milliseconds that the receiver asked for
 * @returns undefined if this was the last attempt
 */
export function nextAttemptAt(attempts: number, demanded: number, now: number): number | undefined {
  const pause = pauses[attempts - 1];
  return pause === undefined ? undefined : now + Math.max(pause, demanded);
}

const shortestHoldMs = 1 * seconds;
const longestHoldMs = 10 * minutes;

/**
 * For how long a callback waits that cannot be sent yet, in milliseconds. The wait grows with its age, so that a receiver
 * that is dead for hours costs little, and one that is dead for seconds gets it soon.
 */
export function holdOf(ageMs: number, random: () => number = Math.random): number {
  const whole = Math.min(longestHoldMs, Math.max(shortestHoldMs, ageMs / 4));
  return whole * (0.75 + random() / 2);
}
