import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Callback = { timestamp: string; data: { challengeId: string } };

/** A website's server for call-backs. */
export class Receiver {
  /** Milliseconds until a call is answered. `Infinity`: never. */
  delay = 0;
  /** Milliseconds from the end of each confirmation to its first call, and whether the service has the answer. */
  readonly calls = new Map<string, { arrival: number; isAnswered: boolean }>();
  readonly #open = new Set<ServerResponse>();
  readonly #server = createServer((request, response) => {
    void text(request).then((body) => this.#receive(JSON.parse(body) as Callback, response));
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await once(receiver.#server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Answers everything that is open, and from now on at once. */
  recover(): void {
    this.delay = 0;
    for (const response of this.#open) accept(response);
  }

  #receive({ timestamp, data }: Callback, response: ServerResponse): void {
    const call = this.calls.get(data.challengeId) ?? {
      ...{ arrival: Date.now() - Date.parse(timestamp), isAnswered: false },
    };
    this.calls.set(data.challengeId, call);
    response.on('finish', () => (call.isAnswered = true));
    this.#open.add(response);
    const timer = Number.isFinite(this.delay) ? setTimeout(accept, this.delay, response) : undefined;
    response.on('close', () => {
      clearTimeout(timer);
      this.#open.delete(response);
    });
  }
}

const accept = (response: ServerResponse): void => void response.writeHead(204).end();
