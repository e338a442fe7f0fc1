import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

const callback = v.object({ timestamp: v.string(), data: v.object({ challengeId: v.string() }) });

/** A website's server for call-backs. */
export class Receiver {
  /** All calls, also those that came again. */
  calls = 0;
  /** Milliseconds until a call is answered. `Infinity`: never. */
  delay = 0;
  /** Milliseconds from the end of each confirmation to its first call, by `challengeId`. */
  readonly #arrivals = new Map<string, number>();
  readonly #answered = new Set<string>();
  readonly #open = new Set<ServerResponse>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

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

  /** Undefined until the call-back has come. */
  arrival(challengeId: string): number | undefined {
    return this.#arrivals.get(challengeId);
  }

  /** Whether the service has the answer to the call-back. */
  isAnswered(challengeId: string): boolean {
    return this.#answered.has(challengeId);
  }

  /** Answers everything that is open, and from now on at once. */
  recover(): void {
    this.delay = 0;
    for (const response of this.#open) accept(response);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const arrived = Date.now();
    this.calls += 1;
    const { timestamp, data } = v.parse(callback, JSON.parse(body));
    if (!this.#arrivals.has(data.challengeId))
      this.#arrivals.set(data.challengeId, arrived - Date.parse(timestamp));
    response.on('finish', () => this.#answered.add(data.challengeId));
    this.#answer(response);
  }

  #answer(response: ServerResponse): void {
    if (this.delay === 0) {
      accept(response);
      return;
    }
    this.#open.add(response);
    const timer = Number.isFinite(this.delay) ? setTimeout(accept, this.delay, response) : undefined;
    response.on('close', () => {
      clearTimeout(timer);
      this.#open.delete(response);
    });
  }
}

const accept = (response: ServerResponse): void => void response.writeHead(204).end();
