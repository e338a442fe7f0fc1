import { readAtMost } from '../../../http/src/exchange.ts';
import { Refused } from './refused.ts';

const largestBodyBytes = 64 * 1024;

/** The same request with its body read, so that several readers may each read a clone. */
export async function withBody(request: Request): Promise<Request> {
  const { url, method, headers, signal } = request;
  const body = await readAtMost(largestBodyBytes, request);
  if (!body) throw new Refused(413, 'too-large', 'The body is too large.');
  return new Request(url, { method, headers, signal, ...(body.length > 0 && { body }) });
}
