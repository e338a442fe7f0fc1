import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** How often each operation was called. */
export type Calls = Readonly<Record<string, number>>;

const channel = 'http.client.request.start';

const ofBuckets: Record<string, string> = { HEAD: 'HeadBucket', PUT: 'PutObject', GET: 'ListObjectsV2' };

/** STS takes forms, which name the operation in the body. It has only one here. */
function operationOf(request: ClientRequest): string {
  const target = request.getHeader('x-amz-target');
  if (typeof target === 'string') return target.replace(/^.*\./, '');
  if (request.path.startsWith('/webhooks/')) return 'webhook';
  return ofBuckets[request.method] ?? 'AssumeRole';
}

/** Counts the calls of this process. */
export class CallCounter {
  readonly #calls = new Map<string, number>();

  readonly #count = (message: unknown): void => {
    const operation = operationOf((message as { request: ClientRequest }).request);
    this.#calls.set(operation, (this.#calls.get(operation) ?? 0) + 1);
  };

  constructor() {
    subscribe(channel, this.#count);
  }

  /** The calls since it was asked before. */
  take(): Calls {
    const taken = Object.fromEntries(this.#calls);
    this.#calls.clear();
    return taken;
  }

  stop(): void {
    unsubscribe(channel, this.#count);
  }
}
