import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export type SigningKey = { alg: string; privateKey: CryptoKey; jwk: JWK & { kid: string } };

export async function signingKey(alg = 'ES256', kid: string = randomUUID()): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export type Claims = Record<string, unknown>;

/** Signs anything, as no issuer would. A header member that is undefined is left out. */
export async function sign(key: SigningKey, claims: Claims, header: Claims = {}): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.jwk.kid, ...header })
    .sign(key.privateKey);
}

export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Stops the clock at the beginning of a second, until the test restores its mocks. @returns that second */
export function freeze(): number {
  const now = secondsFromNow(0);
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
  return now;
}

/** An OIDC issuer on loopback: discovery, key set, and a count of what was asked. */
export class TestIssuer {
  /** Paths in order of the requests. */
  readonly requests: string[] = [];
  /** What the key set holds. */
  keys: JWK[] = [];
  /** Answers in place of the real ones, by path. */
  readonly answers = new Map<string, { status?: number; body?: string; headers?: Record<string, string> }>();
  readonly url: string;
  readonly #server: Server;

  constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static readonly discoveryPath = '/.well-known/openid-configuration';
  static readonly keySetPath = '/keys';

  static async start(): Promise<TestIssuer> {
    const server = createServer((request, response) => {
      const { status, body, headers } = issuer.answer(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const issuer = new TestIssuer(server, `http://127.0.0.1:${port}`);
    return issuer;
  }

  answer(path: string) {
    this.requests.push(path);
    const usual = this.#document(path);
    return {
      status: usual === undefined ? 404 : 200,
      body: JSON.stringify(usual),
      headers: {},
      ...this.answers.get(path),
    };
  }

  #document(path: string): unknown {
    if (path === TestIssuer.discoveryPath) {
      return { issuer: this.url, jwks_uri: `${this.url}${TestIssuer.keySetPath}` };
    }
    return path === TestIssuer.keySetPath ? { keys: this.keys } : undefined;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
