import { createServer as createHttpServer, type RequestListener, type ServerOptions } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';

/** Every HTTP/2 connection begins with it (RFC 9113, section 3.4). */
const preface = Buffer.from('PRI');

/**
 * HTTP/1.1 and HTTP/2 with prior knowledge on one port: the AWS SDK for JavaScript calls Kinesis with HTTP/2, other
 * clients use HTTP/1.1.
 */
export function createHttp1And2Server(handler: RequestListener, options: ServerOptions): Server {
  const http1 = createHttpServer(options, handler);
  // Node's compatibility layer gives HTTP/2 requests the HTTP/1.1 interface, though not its types.
  const http2 = createHttp2Server(handler as unknown as Parameters<typeof createHttp2Server>[1]);
  return createServer((socket: Socket) => {
    // Clients may close the connection at any time.
    socket.on('error', () => undefined);
    socket.once('readable', () => {
      const start = socket.read() as Buffer | null;
      if (start === null) return;
      socket.unshift(start);
      const protocol = preface.equals(start.subarray(0, preface.length)) ? http2 : http1;
      protocol.emit('connection', socket);
    });
  });
}
