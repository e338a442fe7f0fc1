import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * As strict as a policy can be: a page that sends it runs the elements, or they are not fit for a bank.
 *
 * @param trustedTypes the policies for trusted types that a page may make
 */
const policyWith = (trustedTypes: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join('; ');

/** A call that a page has made, without what every call has. */
export type Call = { method: string; path: string; body: string; headers: IncomingMessage['headers'] };

export type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | 'broken';

/** Answers a call to the routes. What it does not answer stays open until the test ends. */
export type Script = (call: Call) => Reply | undefined | Promise<Reply | undefined>;

type File = { type: string; content: string };

/** A website: pages with a strict policy, and routes that a test scripts. */
export class PageServer {
  readonly origin: string;
  /** Calls to the routes, in order. */
  readonly calls: Call[] = [];
  /** Forms that a browser has sent, in order. */
  readonly submits: URLSearchParams[] = [];
  readonly #server: ReturnType<typeof createServer>;
  readonly #files = new Map<string, File>();
  #script: Script = () => undefined;

  readonly #trustedTypes: string;

  private constructor(server: ReturnType<typeof createServer>, trustedTypes: string) {
    this.#server = server;
    this.#trustedTypes = trustedTypes;
    this.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  static async start(trustedTypes = "'none'"): Promise<PageServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const pages = new PageServer(server, trustedTypes);
    server.on('request', (request, response) => void pages.#answer(request, response));
    return pages;
  }

  serve(path: string, type: string, content: string): void {
    this.#files.set(path, { type, content });
  }

  /** Forgets earlier calls. */
  script(script: Script): void {
    this.calls.length = 0;
    this.submits.length = 0;
    this.#script = script;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const path = url.replace(/\?.*/, '');
    const body = await text(request);
    if (path.startsWith('/omi/')) {
      const call = { method, path: url, body, headers };
      this.calls.push(call);
      send(response, await this.#script(call));
      return;
    }
    if (method === 'POST') this.submits.push(new URLSearchParams(body));
    const file = this.#files.get(path);
    response.writeHead(file ? 200 : 404, {
      'content-type': file?.type ?? 'text/plain',
      ...(file?.type.startsWith('text/html') && {
        'content-security-policy': policyWith(this.#trustedTypes),
      }),
    });
    response.end(file?.content ?? '');
  }
}

function send(response: ServerResponse, reply: Reply | undefined): void {
  if (reply === 'broken') {
    response.destroy();
    return;
  }
  if (!reply) return;
  const { status = 200, body, headers = {} } = reply;
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
