import { rmSync } from 'node:fs';
import { Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { FolderLock } from '../../../../command/folder-lock.ts';
import { onWhole } from './atomic-writes.ts';

/**
 * Loaded before kinesis-local, which binds every interface on fixed ports: its servers listen on sockets in a folder of the stack's,
 * which no web page and no other user reaches. When standard input ends, so does the emulator: a killed parent leaves no
 * orphan.
 */
type Listen = (this: Server, ...args: unknown[]) => Server;

// Taken without its object on purpose: it is called with each server in turn.
const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as Listen;

/** The emulator asks each connection for its two ends, which have no addresses here. */
const nowhere = Object.fromEntries(
  Object.entries({ remoteAddress: '127.0.0.1', remotePort: 0, localAddress: '127.0.0.1', localPort: 0 }).map(
    ([name, value]) => [name, { value }],
  ),
);

const { OMI_KINESIS_SOCKET = '', KINESIS_MOCK_PLAIN_PORT = '?', KINESIS_MOCK_TLS_PORT = '?' } = process.env;

Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
  const wanted = JSON.stringify(args);
  const isPlain = wanted.includes(KINESIS_MOCK_PLAIN_PORT);
  // The lock of the folder has a server, too.
  if (!isPlain && !wanted.includes(KINESIS_MOCK_TLS_PORT)) return listen.call(this, ...args);
  const callback = args.find((argument) => typeof argument === 'function');
  // It asks for an address and a port, which a socket in a folder has not.
  this.address = () => ({ address: '127.0.0.1', family: 'IPv4', port: 0 });
  this.prependListener('connection', (socket: Socket) => Object.defineProperties(socket, nowhere));
  this.once('listening', () => {
    if (isPlain) process.stdout.write('listening\n');
  });
  const path = isPlain ? OMI_KINESIS_SOCKET : `${OMI_KINESIS_SOCKET}.tls`;
  return listen.call(this, { path }, ...(callback ? [callback] : []));
} as Server['listen'];

/** The emulator writes every second; large data take a while. */
const LONGEST_LAST_WRITE_MS = 30_000;

let lock: FolderLock | undefined;

function end(): void {
  lock?.release();
  process.exit(0);
}

process.once('exit', () => rmSync(dirname(OMI_KINESIS_SOCKET), { recursive: true, force: true }));

process.stdin.resume().once('end', () => {
  // Nothing was begun, or nothing is kept.
  if (!lock) end();
  const ended = performance.now();
  // What was being written when the end came may lack what came just before.
  onWhole((begun) => {
    if (begun > ended) end();
  });
  setTimeout(end, LONGEST_LAST_WRITE_MS);
});

const { SHOULD_PERSIST_DATA, PERSIST_PATH = '' } = process.env;
if (SHOULD_PERSIST_DATA === 'true') {
  const { waitForFolderLock } = await import('./data-folder-lock.ts');
  lock = await waitForFolderLock(PERSIST_PATH);
}
