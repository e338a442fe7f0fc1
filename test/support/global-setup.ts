import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { type DynamoDb, startDynamoDb } from '../../local/aws/emulators/dynamodb-local/start.ts';
import { ensureJava } from '../../local/java/install.ts';
import { keepForTeardown } from './global-teardown.ts';

/**
 * DynamoDB Local for the whole run, at `AWS_ENDPOINT_URL_DYNAMODB`: each access key id is a database of its own
 * (`testDatabase`). Behind that address it starts when a test first connects, so that a run of other tests
 * does not wait for Java.
 */
export default async function globalSetup(): Promise<void> {
  // Now, as installing one takes longer than any test waits, and several tests would do so at once.
  await ensureJava(warn);
  let database: Promise<DynamoDb> | undefined;
  const sockets = new Set<Socket>();
  const start = () => (database ??= startDynamoDb({ sharedDb: false }));

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    start().then(({ endpoint }) => forward(socket, endpoint), refuse(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${port}`;
  keepForTeardown(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await database?.then(async (started) => await started.close(), ignore);
  });
}

/** The end of either side ends the other; tests keep connections open, so a broken one is no news. */
function forward(socket: Socket, endpoint: string): void {
  if (socket.destroyed) return;
  const upstream = connect(Number(new URL(endpoint).port), '127.0.0.1');
  pipeline(socket, upstream, socket, ignore);
}

const refuse = (socket: Socket) => (error: unknown) => {
  warn(`DynamoDB Local did not start: ${String(error)}`);
  socket.destroy();
};

const ignore = (): void => undefined;

const warn = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
