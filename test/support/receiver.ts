/** A website's receiver of callbacks on loopback, which behaves as a test wants. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { tlsWith, type Certificate } from './certificates.ts';
import { until } from './waiting.ts';

export type ReceivedCall = {
  at: number;
  path: string;
  headers: Record<string, string>;
  text: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
};

export type Behaviour = (response: ServerResponse, call: ReceivedCall, calls: number) => void | Promise<void>;

export const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end();
  };

export const accepting = answering(204);

/** Also of a webhook: answers a verification with its challenge. */
export const proving: Behaviour = (response, { text }) => {
  const { challenge } = JSON.parse(text) as { challenge?: string };
  response.writeHead(200).end(JSON.stringify({ challenge }));
};

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** @param id of a confirmation or a group */
const isAbout = ({ body: { data } }: ReceivedCall, id: unknown): boolean =>
  [data['challengeId'], data['groupId']].includes(id);

/** A signal is a token, and no JSON. */
const bodyIn = (text: string): object => (text.startsWith('{') ? (JSON.parse(text) as object) : {});

export class Receiver {
  readonly calls: ReceivedCall[] = [];
  behave: Behaviour;
  readonly #server: Server | https.Server;

  private constructor(behave: Behaviour, certificate?: Certificate) {
    this.behave = behave;
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response);
    };
    this.#server = certificate ? https.createServer(tlsWith(certificate), listener) : createServer(listener);
  }

  static async start(
    behave: Behaviour = accepting,
    { port = 0, certificate }: { port?: number; certificate?: Certificate } = {},
  ): Promise<Receiver> {
    const receiver = new Receiver(behave, certificate);
    await once(receiver.#server.listen(port, '127.0.0.1'), 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `${this.#server instanceof https.Server ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `${this.origin}/omi/callback`;
  }

  /** From now on: connections that are open end. */
  present(certificate: Certificate): void {
    if (this.#server instanceof https.Server) this.#server.setSecureContext(tlsWith(certificate));
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Until so many calls about the confirmation have come. */
  async until(count: number, challengeId?: string): Promise<ReceivedCall[]> {
    const found = (): ReceivedCall[] => this.about(challengeId);
    await until(() => found().length >= count, `${count} calls`);
    return found();
  }

  about(id?: unknown): ReceivedCall[] {
    return this.calls.filter((call) => id === undefined || isAbout(call, id));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const text = await textOf(request);
    const call: ReceivedCall = {
      at,
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      text,
      body: { data: {}, ...bodyIn(text) } as ReceivedCall['body'],
    };
    this.calls.push(call);
    await this.behave(response, call, this.calls.length);
  }
}

/** By the library that the standard names, unmodified. */
export const verified = ({ text, headers }: ReceivedCall, secret: string): unknown =>
  new Webhook(secret).verify(text, headers);
