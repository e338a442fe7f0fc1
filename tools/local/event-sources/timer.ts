import type { Invocation } from '../lambda/function.ts';
import { abortableSleep } from './backoff.ts';

export type TimerOptions = {
  everyMs: number;
  /** Delays calls while nobody uses the stack. */
  untilUsed: () => Promise<void>;
  invoke: (event: object) => Promise<Invocation>;
  signal: AbortSignal;
};

/** The same as for EventBridge in the cloud. */
export const attempts = 3;

/** A schedule of EventBridge. The first call comes after the first interval. */
export class Timer {
  readonly #options: TimerOptions;

  constructor(options: TimerOptions) {
    this.#options = options;
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { everyMs, untilUsed, signal } = this.#options;
    for (;;) {
      await abortableSleep(everyMs, signal);
      await untilUsed();
      if (signal.aborted) return;
      await this.#call();
    }
  }

  async #call(): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const invocation = await this.#options.invoke({});
      if (!('error' in invocation)) return;
    }
  }
}
