import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * When the next connection breaks: when the request arrives, as with a connection that the server closed while the client
 * was frozen; or when the response comes back, after the work is done.
 */
export type Break = 'request' | 'answer';

/** Passes connections on to a server, and resets them when it is told to. */
export async function startBreakingProxy(target: string) {
  const { hostname, port, host } = new URL(target);
  const breaks: Break[] = [];
  const sockets = new Set<Socket>();
  let broken = 0;
  const resetInstead = (client: Socket, due: Break): boolean => {
    if (breaks[0] !== due) return false;
    breaks.shift();
    broken += 1;
    client.resetAndDestroy();
    return true;
  };
  const pass = (client: Socket): void => {
    const server = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
    }
    // The server rejects requests with another host.
    const addressed = (chunk: Buffer): string =>
      chunk.toString('latin1').replace(/^host: .*$/im, `host: ${host}`);
    client.on('data', (chunk: Buffer) => {
      if (!resetInstead(client, 'request')) server.write(addressed(chunk), 'latin1');
    });
    server.on('data', (chunk: Buffer) => {
      if (!resetInstead(client, 'answer')) client.write(chunk);
    });
  };
  const proxy = createServer(pass).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    breakNext: (...due: Break[]) => breaks.push(...due),
    broken: () => broken,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

export type BreakingProxy = Awaited<ReturnType<typeof startBreakingProxy>>;
