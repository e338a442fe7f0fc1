import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildEnded, startChild } from '../child.ts';
import type { DynamoDb } from './start.ts';

/**
 * Runs the command and ends it when standard input does. A background job of `sh` reads from /dev/null
 * unless told otherwise, hence the third descriptor.
 */
const SUPERVISOR = `exec 3<&0; "$@" & job=$!; { cat <&3 >/dev/null; kill "$job"; } 2>/dev/null & wait "$job"`;
const MILLISECONDS_BETWEEN_TRIES = 50;

const ATTEMPTS = 3;

/** DynamoDB Local as it comes: for a Java that cannot run `LoopbackDynamoDb.java`. */
export async function startSupervised(java: string, args: readonly string[]): Promise<DynamoDb> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(await freePort(), java, args);
    } catch (error) {
      // Most likely somebody took the port in the meantime.
      if (!(error instanceof ChildEnded) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number, java: string, args: readonly string[]): Promise<DynamoDb> {
  const child = startChild('sh', ['-c', SUPERVISOR, 'sh', java, ...args, '-port', String(port)]);
  // It prints its configuration before it looks at the port.
  await child.firstLine(/^Version:/m);
  while (!(await accepts(port))) {
    const ended = await Promise.race([
      child.exited.then(() => true),
      sleep(MILLISECONDS_BETWEEN_TRIES, false),
    ]);
    if (ended) throw new ChildEnded('DynamoDB Local ended before it was ready.');
  }
  return { endpoint: `http://127.0.0.1:${port}`, exited: child.exited, close: () => child.close() };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
