import { EventEmitter, once } from 'node:events';
import { dynamodb } from '../protocols/dynamodb.ts';
import type { AwsRequest, Backend } from './http.ts';

const WRITES = /\.(PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;

const isWrite = ({ headers }: AwsRequest): boolean => WRITES.test(String(headers['x-amz-target']));

/** Which tables were written to, so that readers of their streams need not ask all the time. */
export class Writes {
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

  /**
   * Resolves with true if the table was written to at this time or later, or at its next write; with false when the signal
   * aborts.
   */
  async since(time: number, table: string, signal: AbortSignal): Promise<boolean> {
    if ((this.#lastAt.get(table) ?? 0) >= time) return true;
    return await once(this.#written, table, { signal }).then(
      () => true,
      () => false,
    );
  }

  #note(tables: readonly string[]): void {
    for (const table of tables) {
      this.#lastAt.set(table, Date.now());
      this.#written.emit(table);
    }
  }
}
