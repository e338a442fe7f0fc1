import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '#website';

export type Receiver = {
  url: string;
  /** The next request that comes. */
  next: () => Promise<Request>;
  close: () => void;
};

/** A server that answers each request with 204, and hands it on. */
export async function startReceiver(): Promise<Receiver> {
  const arrived: Request[] = [];
  const waiting: ((request: Request) => void)[] = [];
  const receive = async (request: Request): Promise<Response> => {
    // The body is gone with the connection.
    const kept = new Request(request.url, {
      method: 'POST',
      headers: request.headers,
      body: await request.text(),
    });
    const taker = waiting.shift();
    if (taker) taker(kept);
    else arrived.push(kept);
    return new Response(null, { status: 204 });
  };
  const handler = toNodeHandler(receive);
  const server = createServer((request, response) => void handler(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: async () => {
      const first = arrived.shift();
      return first ?? (await new Promise((resolve) => waiting.push(resolve)));
    },
    close: () => void server.close(),
  };
}
