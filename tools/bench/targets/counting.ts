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
  return request.path.startsWith('/webhooks/') ? 'webhook' : (ofBuckets[request.method] ?? 'AssumeRole');
}

/** Counts the calls of this process while the work is done. */
export async function counting(work: () => Promise<unknown>): Promise<Calls> {
  const calls: Record<string, number> = {};
  const count = (message: unknown): void => {
    const operation = operationOf((message as { request: ClientRequest }).request);
    calls[operation] = (calls[operation] ?? 0) + 1;
  };
  subscribe(channel, count);
  await work();
  unsubscribe(channel, count);
  return calls;
}
