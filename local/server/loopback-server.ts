import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createHttp1And2Server } from './http1-http2-server.ts';

/** An HTTP server for programs on this machine, not for web pages. */
export type LoopbackServer = { url: string; close: () => Promise<void> };

export type LoopbackOptions = {
  /** 0, the default, is any free port. */
  port?: number;
  /** Also accepts `<label>.localhost`, for S3's virtual-hosted style. */
  subdomains?: boolean;
  /** Also accepts HTTP/2, without TLS. */
  http2?: boolean;
};

/**
 * How long an idle connection stays open. Node.js closes it after five seconds, when a caller on a busy machine may just
 * use it again.
 */
const KEEP_ALIVE_MS = 65_000;

/**
 * Listens on 127.0.0.1, and refuses a foreign `Host` (DNS rebinding) or `Origin` (a web page). The local endpoints need no
 * credentials, so a visited web page must not be able to call them.
 */
export async function serveLoopback(
  handler: RequestListener,
  { port = 0, subdomains = false, http2 = false }: LoopbackOptions = {},
): Promise<LoopbackServer> {
  const guarded = guard(handler, subdomains);
  const options = { keepAliveTimeout: KEEP_ALIVE_MS };
  const server = http2 ? createHttp1And2Server(guarded, options) : createServer(options, guarded);
  const sockets = trackSockets(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: chosen } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return { url: `http://127.0.0.1:${chosen}`, close: () => (closed ??= close(server, sockets)) };
}

function guard(handler: RequestListener, subdomains: boolean): RequestListener {
  return (request, response) => {
    if (isOwn(request, subdomains)) {
      handler(request, response);
      return;
    }
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: 'Forbidden: foreign Host or Origin' }));
  };
}

function isOwn(request: IncomingMessage, subdomains: boolean): boolean {
  const { origin } = request.headers;
  const host = request.headers.host ?? String(request.headers[':authority']);
  const port = String(request.socket.localPort);
  const names = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  const isNamed = names.includes(host) || (subdomains && host.endsWith(`.localhost:${port}`));
  return isNamed && (origin === undefined || names.some((name) => origin === `http://${name}`));
}

function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Does not wait for idle connections, nor for calls that a fault leaves without a response. */
async function close(server: Server, sockets: Set<Socket>): Promise<void> {
  server.close();
  for (const socket of sockets) socket.destroy();
  await once(server, 'close');
}
