import type { Unsent } from '../aws/batch-queue.ts';
import { longestDelayMs, type Expiry, type ExpiryQueue } from './expiry-queue.ts';
import type { WaitingExpiryStore } from './waiting-expiry-store.ts';

/** Expiries within the longest delay of SQS go to the queue. Later ones wait in a table, for {@link queueDueExpiries}. */
export class ExpirySchedule {
  readonly #queue: ExpiryQueue;
  readonly #waiting: WaitingExpiryStore;

  constructor(queue: ExpiryQueue, waiting: WaitingExpiryStore) {
    this.#queue = queue;
    this.#waiting = waiting;
  }

  /** @returns the expiries that were not accepted, and the reasons */
  async add<Added extends Expiry>(expiries: readonly Added[]): Promise<Unsent<Added>> {
    const farthest = Date.now() + longestDelayMs;
    const [queued, added] = await Promise.all([
      this.#queue.schedule(expiries.filter(({ expiresAt }) => expiresAt <= farthest)),
      this.#waiting.add(expiries.filter(({ expiresAt }) => expiresAt > farthest)),
    ]);
    return {
      failed: [...queued.failed, ...added.failed],
      reasons: [...new Set([...queued.reasons, ...added.reasons])],
    };
  }
}
