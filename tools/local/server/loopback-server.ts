import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createHttp1And2Server } from './http1-http2-server.ts';

/** An HTTP server for programs on this machine, not for web pages. */
export type LoopbackServer = {
  url: string;
  /** Ends each connection of now when it is next used, without an answer: what a program finds that was frozen for a while. */
  drop: () => void;
  close: () => Promise<void>;
};

export type LoopbackOptions = {
  /** 0, the default, is any free port. */
  port?: number;
  /** Also accepts `<label>.localhost`, for S3's virtual-hosted style. */
  subdomains?: boolean;
  /** Also accepts HTTP/2, without TLS. */
  http2?: boolean;
  /** Requests without a body have no `end`: a handler that does not wait for it is faster. */
  optimizeEmptyRequests?: boolean;
  /** Takes WebSocket connections. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** The origin of a TLS proxy or tunnel in front of this server, or several: their hosts and origins are not foreign. */
  publicUrl?: string | readonly string[] | undefined;
};

/**
 * How long an idle connection stays open. Node.js closes it after five seconds, when a caller on a busy machine may just
 * use it again.
 */
const keepAliveMs = 65_000;

/**
 * Listens on 127.0.0.1, and refuses a foreign `Host` (DNS rebinding) or `Origin` (a web page). The local endpoints need no
 * credentials, so a visited web page must not be able to call them.
 */
export async function serveLoopback(
  handler: RequestListener,
  options: LoopbackOptions = {},
): Promise<LoopbackServer> {
  const server = await listen(handler, '127.0.0.1', options);
  const { port, drop, close } = server;
  return { url: `http://127.0.0.1:${port}`, drop, close };
}

/**
 * Listens on both addresses of the name localhost, as a browser may choose either, with the same refusals. On a machine
 * without IPv6 it listens on 127.0.0.1 only.
 */
export async function serveLocalhost(
  handler: RequestListener,
  options: Pick<LoopbackOptions, 'port' | 'publicUrl'> = {},
): Promise<Omit<LoopbackServer, 'drop'>> {
  const first = await listen(handler, '127.0.0.1', options);
  const { port } = first;
  const second = await listen(handler, '::1', { ...options, port }).catch(async (error: unknown) => {
    if (hasNoIpv6(error)) return undefined;
    await first.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await first.close();
    await second?.close();
  };
  return { url: `http://localhost:${port}`, close };
}

const hasNoIpv6 = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '');

async function listen(
  handler: RequestListener,
  address: string,
  {
    port = 0,
    subdomains = false,
    http2 = false,
    optimizeEmptyRequests = false,
    upgrade,
    publicUrl,
  }: LoopbackOptions,
): Promise<Omit<LoopbackServer, 'url'> & { port: number }> {
  /** By the port of the other side: requests of HTTP/2 have no socket that could be compared. */
  const dropped = new Map<number | undefined, Socket>();
  const guarded = guard(
    (request, response) => {
      const socket = dropped.get(request.socket.remotePort);
      if (socket) socket.resetAndDestroy();
      else handler(request, response);
    },
    subdomains,
    publicUrl,
  );
  const options = { keepAliveTimeout: keepAliveMs, optimizeEmptyRequests };
  const server = http2 ? createHttp1And2Server(guarded, options) : createServer(options, guarded);
  if (upgrade)
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (isOwn(request, subdomains, [])) upgrade(request, socket, head);
      else socket.destroy();
    });
  const sockets = trackSockets(server);
  server.listen(port, address);
  await once(server, 'listening');
  const { port: chosen } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const drop = (): void => {
    for (const socket of sockets) {
      const { remotePort } = socket;
      dropped.set(remotePort, socket);
      socket.once('close', () => dropped.delete(remotePort));
    }
  };
  return { port: chosen, drop, close: () => (closed ??= close(server, sockets)) };
}

function guard(
  handler: RequestListener,
  subdomains: boolean,
  publicUrl: LoopbackOptions['publicUrl'] = [],
): RequestListener {
  const publicUrls = [publicUrl].flat().map((url) => new URL(url));
  return (request, response) => {
    if (isOwn(request, subdomains, publicUrls)) {
      handler(request, response);
      return;
    }
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: 'Forbidden: foreign Host or Origin' }));
  };
}

function isOwn(request: IncomingMessage, subdomains: boolean, publicUrls: readonly URL[]): boolean {
  const { headers, socket } = request;
  const host = headers.host ?? String(headers[':authority']);
  const port = `:${socket.localPort}`;
  const isLoopback = (name: string): boolean =>
    name.endsWith(port) && loopbackNames.has(name.slice(0, -port.length));
  const isNamed = isLoopback(host) || publicUrls.some((url) => url.host === host);
  if (!isNamed && !(subdomains && host.endsWith(`.localhost${port}`))) return false;
  if (headers.origin === undefined) return true;
  // Firefox's push client sends the URL of its push service: with the scheme of WebSockets, and with the path.
  const origin = headers.origin.replace(/^ws:(\/\/[^/]+).*$/, 'http:$1');
  const isLocal = origin.startsWith('http://') && isLoopback(origin.slice('http://'.length));
  return isLocal || publicUrls.some((url) => url.origin === origin);
}

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

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
