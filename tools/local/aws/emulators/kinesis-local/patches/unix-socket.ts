/**
 * The emulator listens at sockets in a folder of the user, which no web page and no other user reaches. By itself it
 * binds fixed ports on every interface.
 *
 * Remove when kinesis-local can listen at a Unix socket, or on loopback at a port that the kernel chooses.
 */
import { Server, type Socket } from 'node:net';

type Listen = (this: Server, ...args: unknown[]) => Server;

// The descriptor has the method without its object: it is called with each server in turn.
const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as Listen;

/** The emulator reads the two addresses of each connection, which Unix sockets do not have. */
const loopbackAddresses = Object.fromEntries(
  Object.entries({ remoteAddress: '127.0.0.1', remotePort: 0, localAddress: '127.0.0.1', localPort: 0 }).map(
    ([name, value]) => [name, { value }],
  ),
);

const { OMI_KINESIS_SOCKET = '', KINESIS_MOCK_PLAIN_PORT = '?', KINESIS_MOCK_TLS_PORT = '?' } = process.env;

Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
  const options = JSON.stringify(args);
  const isPlain = options.includes(KINESIS_MOCK_PLAIN_PORT);
  // The folder's lock has a server, too, which is not the emulator's.
  if (!isPlain && !options.includes(KINESIS_MOCK_TLS_PORT)) return listen.call(this, ...args);
  const callback = args.find((argument) => typeof argument === 'function');
  this.address = () => ({ address: '127.0.0.1', family: 'IPv4', port: 0 });
  this.prependListener('connection', (socket: Socket) => Object.defineProperties(socket, loopbackAddresses));
  this.once('listening', () => {
    if (isPlain) process.stdout.write('listening\n');
  });
  const path = isPlain ? OMI_KINESIS_SOCKET : `${OMI_KINESIS_SOCKET}.tls`;
  return listen.call(this, { path }, ...(callback ? [callback] : []));
} as Server['listen'];
