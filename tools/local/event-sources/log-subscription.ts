import { gzipSync } from 'node:zlib';
import type { LogEntry, Logs } from '../aws/stand-ins/logs/logs.ts';
import type { Invocation } from '../lambda/function.ts';
import { attempts } from './timer.ts';

export type LogSubscriptionOptions = {
  log: string;
  logs: Pick<Logs, 'next'>;
  invoke: (event: object) => Promise<Invocation>;
  signal: AbortSignal;
};

/** A subscription filter of CloudWatch Logs that lets all entries pass. */
export class LogSubscription {
  readonly #options: LogSubscriptionOptions;

  constructor(options: LogSubscriptionOptions) {
    this.#options = options;
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { log, logs, signal } = this.#options;
    for (;;) {
      const entries = await logs.next(log, signal);
      if (signal.aborted) return;
      await this.#call(entries);
    }
  }

  async #call(logEvents: readonly LogEntry[]): Promise<void> {
    const data = gzipSync(JSON.stringify({ messageType: 'DATA_MESSAGE', logEvents })).toString('base64');
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const invocation = await this.#options.invoke({ awslogs: { data } });
      if (!('error' in invocation)) return;
    }
  }
}
