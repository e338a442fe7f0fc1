import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Request = { method: string; path: string; authorization?: string; type?: string; body: string };
export type Reply = (response: ServerResponse, request: Request) => void;

/** Resets the connection: the answer is lost. */
export const lost: Reply = (response) => void response.socket?.resetAndDestroy();

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

export const problem = (status: number, code: string, extra: object = {}, headers = {}): Reply =>
  json(
    status,
    { type: `https://api.omi.example/problems/${code}`, title: code, status, code, detail: 'Why.', ...extra },
    headers,
  );

/** A service that gives one reply after the other, and keeps what it was asked, except for what `always` has replies by path. */
export class ScriptedService {
  readonly requests: Request[] = [];
  readonly #replies: Reply[] = [];
  readonly #always: Readonly<Record<string, Reply>>;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const asked: Request = {
        method,
        path,
        ...(headers.authorization !== undefined && { authorization: headers.authorization }),
        ...(headers['content-type'] !== undefined && { type: headers['content-type'] }),
        body: Buffer.concat(chunks).toString('utf8'),
      };
      const usual = this.#always[path];
      if (usual) {
        usual(response, asked);
        return;
      }
      this.requests.push(asked);
      (this.#replies.shift() ?? json(500, { code: 'no-reply-left' }))(response, asked);
    });
  });

  constructor(always: Readonly<Record<string, Reply>> = {}) {
    this.#always = always;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets earlier requests and replies. */
  reply(...replies: Reply[]): void {
    this.requests.length = 0;
    this.#replies.splice(0, this.#replies.length, ...replies);
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** The JWS of each request, from the body or the header. */
export const messagesOf = ({ requests }: ScriptedService): string[] =>
  requests.map(({ authorization, body }) => authorization?.replace('OMI-Device ', '') ?? body);
