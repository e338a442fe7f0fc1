import { EventEmitter, once } from 'node:events';
import type { Service } from '../protocols/service.ts';
import type { AwsRequest, Backend } from './http.ts';

/** The writes of DynamoDB and of Kinesis. */
const writes = /\.(PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems|PutRecords?)$/;

const isWrite = ({ headers }: AwsRequest): boolean => writes.test(String(headers['x-amz-target']));

/** Which tables or streams of a service were written to, so that their readers need not ask all the time. */
export class Writes {
  readonly #service: Pick<Service, 'describe'>;
  readonly #lastAt = new Map<string, number>();
  // A stream has one reader or two, and each of its shards waits.
  readonly #written = new EventEmitter().setMaxListeners(0);

  constructor(service: Pick<Service, 'describe'>) {
    this.#service = service;
  }

  /** Notes the writes that succeed. */
  noting(backend: Backend): Backend {
    return async (request) => {
      const response = await backend(request);
      if (response.status === 200 && isWrite(request)) this.#note(this.#service.describe(request).resources);
      return response;
    };
  }

  /**
   * Resolves with true if the table or stream was written to at this time or later, or at its next write; with false when
   * the signal aborts.
   */
  async since(time: number, resource: string, signal: AbortSignal): Promise<boolean> {
    if ((this.#lastAt.get(resource) ?? 0) >= time) return true;
    return await once(this.#written, resource, { signal }).then(
      () => true,
      () => false,
    );
  }

  #note(resources: readonly string[]): void {
    for (const resource of resources) {
      this.#lastAt.set(resource, Date.now());
      this.#written.emit(resource);
    }
  }
}
