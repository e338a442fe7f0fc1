import { Server } from 'node:net';

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

/** One more turn of the loop that writes to the disk, which the emulator takes every second. */
const LAST_WRITE_MS = process.env['SHOULD_PERSIST_DATA'] === 'true' ? 1_200 : 0;

process.stdin.resume().once('end', () => setTimeout(() => process.exit(0), LAST_WRITE_MS));
