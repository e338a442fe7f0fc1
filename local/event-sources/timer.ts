import type { Invocation } from '../lambda/function.ts';
import { abortableSleep } from './backoff.ts';

export type TimerOptions = {
  everyMs: number;
  invoke: (event: object) => Promise<Invocation>;
  signal: AbortSignal;
};

/** As EventBridge is told to. */
const ATTEMPTS = 3;

/** What EventBridge does for a schedule. Not at the start, but after the first interval. */
export class Timer {
  readonly #options: TimerOptions;

  constructor(options: TimerOptions) {
    this.#options = options;
  }

  /** Until the signal. */
  async run(): Promise<void> {
    const { everyMs, signal } = this.#options;
    for (;;) {
      await abortableSleep(everyMs, signal);
      if (signal.aborted) return;
      await this.#call();
    }
  }

  async #call(): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const invocation = await this.#options.invoke({});
      if (!('error' in invocation)) return;
    }
  }
}
