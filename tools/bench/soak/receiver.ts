import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import type { SoakEvent } from './arrivals.ts';
import { readRecord } from './workload.ts';

export const receiverFaults = ['refuses', 'throttles', 'fails', 'is-slow', 'hangs', 'cuts'] as const;
export type ReceiverFault = (typeof receiverFaults)[number];

const verification = v.object({ type: v.literal('omi.verification'), challenge: v.string() });

/** Milliseconds of an answer that is slow. */
const slowness = 1_500;

/** A tenant's server for webhooks. */
export class Receiver {
  /** What is wrong with it now, if anything. */
  fault: ReceiverFault | undefined;
  #arrived: SoakEvent[] = [];
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
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  /** The new events, in the order of their arrival. */
  take(): SoakEvent[] {
    const taken = this.#arrived;
    this.#arrived = [];
    return taken;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const json: unknown = JSON.parse(body);
    const asked = v.safeParse(verification, json);
    if (asked.success) response.end(JSON.stringify({ challenge: asked.output.challenge }));
    else this.#answer(body, response);
  }

  #answer(body: string, response: ServerResponse): void {
    switch (this.fault) {
      case 'refuses':
        response.writeHead(403).end();
        return;
      case 'throttles':
        response.writeHead(429, { 'retry-after': '1' }).end();
        return;
      case 'fails':
        response.writeHead(500).end();
        return;
      case 'hangs':
        return;
      case 'cuts':
        // The events have arrived, and nobody knows it.
        this.#arrived.push(...readRecord(body));
        response.destroy();
        return;
      case 'is-slow':
      case undefined:
        this.#arrived.push(...readRecord(body));
        setTimeout(() => response.writeHead(204).end(), this.fault === undefined ? 0 : slowness);
    }
  }
}
