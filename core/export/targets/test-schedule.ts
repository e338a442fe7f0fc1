import { hours, minutes, seconds } from '../../kernel/time.ts';
import { isDrained, type Target } from './target.ts';

/** Until a test that failed is repeated, by the number of tests in a row that failed. */
const pausesMs = [1 * minutes, 5 * minutes, 15 * minutes, 60 * minutes] as const;

/** Together with the wait of parked events it is shorter than two minutes. */
const whileEventsWaitMs = 1 * minutes;
/** How often a target that was live is tested: its state follows the fault's end within two minutes, also if no event waits. */
const whileLiveMs = 100 * seconds;
/** Afterwards it is tested hourly, unless events come. */
const livesOnMs = 24 * hours;

/** What passes by itself passes within this time. */
export const passingMs = 15 * minutes;

/** How long a test may be put off that could not be made. */
const longestPostponementMs = 5 * minutes;

type Tested = Pick<Target, 'state' | 'stateSince' | 'parkedThrough' | 'drainedThrough'>;

const wasLive = ({ state, stateSince }: Tested, now: number): boolean =>
  (state === 'parked' || state === 'degraded') && now - stateSince < livesOnMs;

/** The most milliseconds between two tests of a target that is not well. */
function longestPause(target: Tested, now: number): number {
  if (!isDrained(target)) return whileEventsWaitMs;
  return wasLive(target, now) ? whileLiveMs : Infinity;
}

/**
 * @param target as the failed test left it
 * @param failures tests in a row that failed, this one included
 * @returns milliseconds until the test is repeated
 */
export function pauseAfter(target: Tested, failures: number, now: number): number {
  const pause = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? pausesMs[0];
  return Math.min(pause, longestPause(target, now));
}

/**
 * Short at first, as an operator may be waiting; then longer, to spare AWS.
 *
 * @param receives how often the message was received, this time included
 * @returns milliseconds
 */
export const postponement = (target: Tested, receives: number, now: number): number =>
  Math.min(2 ** Math.min(receives, 10) * seconds, longestPostponementMs, longestPause(target, now));

/** Milliseconds after which a test has begun or ended, unless its message was lost. */
const underWayMs = 3 * minutes;
const late = 30 * seconds;

/**
 * True if the target cannot be well before it is tested, and no test is near. Ownership of a bucket is not tested again: its
 * owner has to prove it.
 */
export function needsTest(
  { testFault, lastTest }: Pick<Target, 'testFault' | 'lastTest'>,
  now: number,
): boolean {
  if (!testFault || !lastTest) return false;
  const { outcome, requestedAt, nextAt } = lastTest;
  if (outcome === 'waiting' || outcome === 'running') return now - requestedAt > underWayMs;
  return nextAt !== undefined && (nextAt > now + whileEventsWaitMs || nextAt < now - late);
}
