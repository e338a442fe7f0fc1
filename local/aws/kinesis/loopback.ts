import { Server } from 'node:net';
import type { FolderLock } from '../../command/folder-lock.ts';
import { onWhole } from './whole-files.ts';

/**
 * Loaded before kinesis-local, which binds every interface on fixed ports: its servers listen on loopback, on
 * ports that the kernel chooses. The plain one's port is told on standard output. When standard input ends,
 * so does the emulator: a killed parent leaves no orphan.
 */
type Listen = (this: Server, ...args: unknown[]) => Server;

// Taken without its object on purpose: it is called with each server in turn.
const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as Listen;

Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
  const callback = args.find((argument) => typeof argument === 'function');
  const isPlain = JSON.stringify(args).includes(process.env['KINESIS_MOCK_PLAIN_PORT'] ?? '?');
  this.once('listening', () => {
    const address = this.address();
    if (isPlain && typeof address === 'object') process.stdout.write(`listening ${String(address?.port)}\n`);
  });
  return listen.call(this, { host: '127.0.0.1', port: 0 }, ...(callback ? [callback] : []));
} as Server['listen'];

/** The emulator writes every second; large data take a while. */
const LONGEST_LAST_WRITE_MS = 30_000;

let lock: FolderLock | undefined;

function end(): void {
  lock?.release();
  process.exit(0);
}

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
  const { takeOver } = await import('./handover.ts');
  lock = await takeOver(PERSIST_PATH);
}
