import { setTimeout as sleep } from 'node:timers/promises';

const shortestMs = 100;
const longestMs = 2_000;

/** Waits that grow with each failure in a row. */
export class Backoff {
  readonly #signal: AbortSignal;
  #failures = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** The number of failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** After a success, the next wait is short again. */
  reset(): void {
    this.#failures = 0;
  }

  async wait(): Promise<void> {
    const longest = Math.min(longestMs, shortestMs * 2 ** this.#failures);
    this.#failures += 1;
    await abortableSleep(longest * (0.5 + Math.random() / 2), this.#signal);
  }
}

/** Ends early and without an error when the signal aborts. */
export async function abortableSleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
