import { EventEmitter, once } from 'node:events';
import { dynamodb } from '../protocols/dynamodb.ts';
import type { AwsRequest, Backend } from './http.ts';

/** For so long, records of a write may be on their way into the table's stream. */
const UNDER_WAY_MS = 1_000;

const WRITES = /\.(PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;

const isWrite = ({ headers }: AwsRequest): boolean => WRITES.test(String(headers['x-amz-target']));

/** Which tables were written to, so that readers of their streams need not ask all the time. */
export class TableWrites {
  readonly #lastAt = new Map<string, number>();
  // A stream has one reader or two, and each of its shards waits.
  readonly #written = new EventEmitter().setMaxListeners(0);

  /** Notes the writes that succeed. */
  noting(backend: Backend): Backend {
    return async (request) => {
      const response = await backend(request);
      if (response.status === 200 && isWrite(request)) this.#note(dynamodb.describe(request).resources);
      return response;
    };
  }

  /** Resolves when the table was written to a moment ago, at its next write, or when the signal aborts. */
  async next(table: string, signal: AbortSignal): Promise<void> {
    if (Date.now() - (this.#lastAt.get(table) ?? 0) < UNDER_WAY_MS) return;
    await once(this.#written, table, { signal }).catch(() => undefined);
  }

  #note(tables: readonly string[]): void {
    for (const table of tables) {
      this.#lastAt.set(table, Date.now());
      this.#written.emit(table);
    }
  }
}
