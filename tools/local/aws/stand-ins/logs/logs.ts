import { once } from 'node:events';

export type LogEntry = { timestamp: number; message: string };

/** CloudWatch Logs, for services that log errors: entries wait until a subscription takes them. */
export class Logs {
  readonly #waiting = new Map<string, LogEntry[]>();
  readonly #added = new EventTarget();

  add(log: string, entry: object): void {
    const entries = this.#waiting.get(log) ?? [];
    this.#waiting.set(log, [...entries, { timestamp: Date.now(), message: JSON.stringify(entry) }]);
    this.#added.dispatchEvent(new Event(log));
  }

  /** Waits for entries, and removes them. @returns none if the signal aborts */
  async next(log: string, signal: AbortSignal): Promise<LogEntry[]> {
    while (!this.#waiting.has(log) && !signal.aborted)
      await once(this.#added, log, { signal }).catch(() => undefined);
    const entries = this.#waiting.get(log) ?? [];
    this.#waiting.delete(log);
    return entries;
  }
}
