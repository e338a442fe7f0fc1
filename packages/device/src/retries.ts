import { DeviceError } from './device-error.ts';

/** Milliseconds before each repetition. A person waits for most calls. */
const pauses = [300, 1_000, 2_500];

/** Seconds: the caller decides about a longer pause. */
const LONGEST_PAUSE = 10;

/** After this time no repetition begins, so that several lost answers do not add up. */
const LONGEST_CALL_MS = 45_000;

/** True if the same message may succeed later: the answer was lost, or the service is busy. */
export const isTransient = (error: unknown): error is DeviceError =>
  error instanceof DeviceError &&
  (error.code === 'network' || error.status === 429 || (error.status ?? 0) >= 500);

/** Milliseconds to wait before the call is repeated; undefined if it is not. */
function pauseBefore(repetition: number, error: unknown): number | undefined {
  const pause = pauses[repetition - 1];
  if (pause === undefined || !isTransient(error)) return undefined;
  const { retryAfter = 0 } = error;
  if (retryAfter > LONGEST_PAUSE) return undefined;
  // The random part keeps apart devices that failed together.
  return Math.max(retryAfter * 1000, pause) * (1 + Math.random() / 4);
}

const sleep = async (milliseconds: number): Promise<void> =>
  await new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Repeats a call whose answer was lost, or that the service could not answer now.
 *
 * @param means.done the code that a repetition gets if the call before it did arrive
 * @returns undefined if the outcome is known only by that code
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  means: { done?: string | undefined } = {},
): Promise<T | undefined> {
  const start = performance.now();
  for (let repetition = 1; ; repetition += 1) {
    try {
      return await call();
    } catch (error) {
      if (repetition > 1 && error instanceof DeviceError && error.code === means.done) return undefined;
      const pause = pauseBefore(repetition, error);
      if (pause === undefined || performance.now() - start + pause > LONGEST_CALL_MS) throw error;
      await sleep(pause);
    }
  }
}
