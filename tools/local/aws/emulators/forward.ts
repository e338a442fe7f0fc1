import { Agent, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import type { Address } from './child-process.ts';
import { type AwsResponse, type AwsRequest, type Backend, endToEnd } from '../endpoint/http.ts';

/** Shorter than the emulators' idle timeouts, so that they rarely close a pooled connection. */
const idleMs = 10_000;

export type ChangedHeaders = (headers: OutgoingHttpHeaders) => OutgoingHttpHeaders;

/** Forwards calls to an emulator in another process, over connections that stay open. */
export function forwardTo(
  { endpoint, socketPath }: Address,
  changed: ChangedHeaders = (headers) => headers,
): { backend: Backend; close: () => void } {
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  const { hostname, port, host } = new URL(endpoint);
  const address = socketPath === undefined ? { hostname, port } : { socketPath };
  const attempt = (request: AwsRequest): Promise<AwsResponse> =>
    new Promise((resolve, reject) => {
      const { method, url: path, body } = request;
      // The endpoint has checked the origin; the emulators would refuse it.
      const headers = changed({ ...endToEnd(request.headers), host, 'content-length': body.length });
      delete headers.origin;
      const options = { agent, ...address, method, path, headers };
      const outgoing = httpRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 502 } = response;
          resolve({ status, headers: endToEnd(response.headers), body: Buffer.concat(chunks) });
        });
      });
      outgoing.on('error', (error) =>
        reject(outgoing.reusedSocket ? new StaleConnectionError(error) : error),
      );
      outgoing.end(body);
    });
  return {
    backend: (request) =>
      attempt(request).catch((error: unknown) => {
        if (error instanceof StaleConnectionError) return attempt(request);
        throw error;
      }),
    close: () => agent.destroy(),
  };
}

/** The emulator closed an idle connection at the moment it was taken from the pool, so it did not get the call. */
class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';

  constructor(cause: Error) {
    super('The pooled connection was closed.', { cause });
  }
}
