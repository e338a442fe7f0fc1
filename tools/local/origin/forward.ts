import { Agent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { endToEnd } from '../aws/endpoint/http.ts';

/** Shorter than the gateway's idle timeout, so that it does not close a pooled connection that is about to be used. */
const idleMs = 10_000;

export type Forwarder = {
  forward: (incoming: IncomingMessage, response: ServerResponse) => void;
  close: () => void;
};

/**
 * Forwards calls to the API, as CloudFront does for the app's origin. The API gets its own host name, and no `Origin`: the
 * app's server has checked it, and the API allows none but its own.
 */
export function forwardTo(apiUrl: string): Forwarder {
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  const { hostname, port, host } = new URL(apiUrl);
  return {
    forward: (incoming, response) => {
      const { method, url: path } = incoming;
      const headers = { ...endToEnd(incoming.headers), host, ...forwardedFor(incoming) };
      delete headers.origin;
      const outgoing = httpRequest({ agent, hostname, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
        pipeline(answer, response).catch(() => response.destroy());
      });
      outgoing.on('error', () => badGateway(response));
      // The client may close the connection at any time.
      pipeline(incoming, outgoing).catch(() => outgoing.destroy());
    },
    close: () => agent.destroy(),
  };
}

function forwardedFor({ headers, socket }: IncomingMessage): Record<string, string> {
  const earlier = headers['x-forwarded-for'];
  const address = (socket.remoteAddress ?? '').replace('::ffff:', '');
  return { 'x-forwarded-for': earlier === undefined ? address : `${String(earlier)}, ${address}` };
}

function badGateway(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'application/json' }).end('{"message":"Bad Gateway"}');
}
