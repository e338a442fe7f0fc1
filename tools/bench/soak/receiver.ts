import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ReceiverFault = 'refuses' | 'throttles' | 'fails' | 'is-slow' | 'hangs' | 'cuts';

/** A tenant's server for webhooks. `fault`: what is wrong with it now, if anything. */
export type Receiver = {
  url: string;
  fault: ReceiverFault | undefined;
  /** The bodies that arrived since it was asked before. */
  take: () => string[];
  close: () => void;
};

const statuses: Partial<Record<ReceiverFault, number>> = { refuses: 403, throttles: 429, fails: 500 };

export async function startReceiver(): Promise<Receiver> {
  const arrived: string[] = [];
  const answer = (body: string, response: ServerResponse): void => {
    const status = receiver.fault && statuses[receiver.fault];
    if (receiver.fault === 'hangs') return;
    if (status !== undefined) {
      response.writeHead(status, { 'retry-after': '1' }).end();
      return;
    }
    arrived.push(body);
    // The events have arrived, and nobody knows it.
    if (receiver.fault === 'cuts') response.destroy();
    else setTimeout(() => response.writeHead(204).end(), receiver.fault === 'is-slow' ? 1_500 : 0);
  };
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const { challenge } = JSON.parse(body) as { challenge?: string };
        if (challenge === undefined) answer(body, response);
        else response.end(JSON.stringify({ challenge }));
      },
      () => undefined,
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    fault: undefined,
    take: () => arrived.splice(0),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
