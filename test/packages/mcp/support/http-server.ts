import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eventually } from '../../../support/waiting.ts';
import { fixedPort } from '../../../support/fixed-port.ts';
import {
  secondsFromNow,
  sign,
  type Claims,
  type SigningKey,
  type TestIssuer,
} from '../../../support/token-issuer.ts';
import { bin, McpHost } from './mcp-host.ts';

export type HttpOptions = {
  issuer: TestIssuer;
  key: SigningKey;
  env: Record<string, string>;
  state: string;
  args?: string[];
};

/** The server for many users, as a process that can be killed and start again at the same address. */
export class HttpServer {
  readonly url: string;
  readonly #options: HttpOptions;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #stderr = '';

  private constructor(options: HttpOptions, port: number) {
    this.#options = options;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}/mcp`;
  }

  static async start(options: HttpOptions): Promise<HttpServer> {
    const server = new HttpServer(options, await fixedPort());
    await server.start();
    return server;
  }

  /** What the server has written for the operator. */
  get stderr(): string {
    return this.#stderr;
  }

  async start(): Promise<void> {
    const { env, issuer, state, args = [] } = this.#options;
    const options = ['--http', '--port', String(this.#port), '--state', state, ...args];
    this.#stderr = '';
    const child = spawn(process.execPath, [bin, ...options], {
      env: { ...env, OMI_MCP_ISSUER: issuer.url, OMI_MCP_RESOURCE: this.url },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (data) => (this.#stderr += String(data)));
    const listens = async (): Promise<true | undefined> => {
      if (child.exitCode !== null) throw new Error(`The server ended: ${this.#stderr}`);
      return await Promise.resolve(this.#stderr.includes('Listening') ? true : undefined);
    };
    await eventually('the server listens', listens);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** An access token of a user, as the issuer makes it but for these claims. */
  async tokenOf(sub: string, changes: Claims = {}, key = this.#options.key): Promise<string> {
    const claims = {
      iss: this.#options.issuer.url,
      aud: this.url,
      sub,
      exp: secondsFromNow(600),
      ...changes,
    };
    return await sign(key, claims);
  }

  async hostOf(sub: string): Promise<McpHost> {
    return await McpHost.connect(await this.transportOf(sub));
  }

  async transportOf(sub: string): Promise<StreamableHTTPClientTransport> {
    const headers = { authorization: `Bearer ${await this.tokenOf(sub)}` };
    return new StreamableHTTPClientTransport(new URL(this.url), { requestInit: { headers } });
  }

  /** A request by hand. */
  async post(headers: Record<string, string>, body: unknown = initialize): Promise<Response> {
    return await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test host', version: '1.0.0' },
  },
};
