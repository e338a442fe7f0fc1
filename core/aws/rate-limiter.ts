import { setTimeout } from 'node:timers/promises';

/** Lets calls go one after the other, at least so many milliseconds apart. */
export class RateLimiter {
  readonly #intervalMs: number;
  #next = 0;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Resolves when the caller may go. */
  async turn(): Promise<void> {
    const now = Date.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#intervalMs;
    if (at > now) await setTimeout(at - now);
  }
}
