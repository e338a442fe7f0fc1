import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;

/** Waits that grow while something fails again and again. */
export class Backoff {
  readonly #signal: AbortSignal;
  #failures = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** How often in a row it failed. */
  get failures(): number {
    return this.#failures;
  }

  /** It went well: the next wait is a short one. */
  reset(): void {
    this.#failures = 0;
  }

  async wait(): Promise<void> {
    const longest = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** this.#failures);
    this.#failures += 1;
    await abortableSleep(longest * (0.5 + Math.random() / 2), this.#signal);
  }
}

/** Ends early, and without an error, with the signal. */
export async function abortableSleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
