import { sleep } from './abort.ts';
import { CallError } from './call-error.ts';

/** Milliseconds before each repetition. A person waits for most calls. */
const pauses = [300, 1_000, 2_500];

/** Seconds: the caller decides about a longer pause. */
const longestPauseSeconds = 10;

/** After this time no repetition begins, so that several lost answers do not add up. */
const longestCallMs = 45_000;

/** True if the answer was lost, or the service cannot answer now. */
export const isTransient = (error: unknown): error is CallError =>
  error instanceof CallError &&
  (error.code === 'network' ||
    error.code === 'timeout' ||
    (error.status === 429 && error.code !== 'too-many-notifications') ||
    (error.status ?? 0) >= 500);

/**
 * Milliseconds to wait before a repetition; undefined if there should be none.
 *
 * @param random from 0 to 1: keeps apart callers that failed together
 */
export function pauseBefore(
  repetition: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const pause = pauses[repetition - 1];
  if (pause === undefined || (retryAfter ?? 0) > longestPauseSeconds) return undefined;
  return Math.max((retryAfter ?? 0) * 1000, pause) * (1 + random / 4);
}

type Stop = {
  /** No repetition begins after it has aborted. */
  stop?: AbortSignal | undefined;
};

type Done = {
  /** The code that a repetition gets if the call before it did arrive. */
  done: string | undefined;
};

/**
 * Repeats a call that may be repeated while its answers are lost.
 *
 * @returns undefined if the outcome is known only by the code `done`
 */
export async function withRetries<T>(call: () => Promise<T>, options?: Stop): Promise<T>;
export async function withRetries<T>(call: () => Promise<T>, options: Done & Stop): Promise<T | undefined>;
export async function withRetries<T>(
  call: () => Promise<T>,
  { done, stop }: Partial<Done> & Stop = {},
): Promise<T | undefined> {
  const start = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt > 1 && error instanceof CallError && error.code === done) return undefined;
      if (!isTransient(error)) throw error;
      const pause = pauseBefore(attempt, error.retryAfter, Math.random());
      if (pause === undefined || performance.now() - start + pause > longestCallMs) throw error;
      await sleep(pause, stop).catch(() => undefined);
      if (stop?.aborted) throw error;
    }
  }
}
