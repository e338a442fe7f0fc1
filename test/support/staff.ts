import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type Answer, exchange } from '../../client/http.ts';
import type { StackFile } from '../../tools/local/client/local-stack.ts';

/** Members of every local stack: an operator, the support of the demo's tenant alone, and an engineer of this tenant. */
export type MemberName = 'olga' | 'sam' | 'ines';

/** Keeps cookies, and follows no redirect. */
class Visitor {
  readonly #cookies = new Map<string, string>();

  async go(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }
}

const nextOf = ({ headers, status }: Response, base: string): string => {
  const location = headers.get('location');
  if (location === null) throw new Error(`Expected a redirect, but the issuer answered ${status}`);
  return new URL(location, base).href;
};

export type StaffTokens = { accessToken: string; idToken: string };

const tokenAnswer = v.object({ access_token: v.string(), id_token: v.string() });

/** Signs a member in as a page does: code with PKCE. */
export async function signIn(
  { consoleUrl, exportsUrl, staff }: Pick<StackFile, 'consoleUrl' | 'exportsUrl' | 'staff'>,
  member: MemberName,
  page: 'console' | 'exports' = 'console',
): Promise<StaffTokens> {
  const visitor = new Visitor();
  const { authorizationUrl, tokenUrl, issuer } = staff;
  const clientId = page === 'console' ? staff.clientId : (staff.exportsClientId ?? '');
  const verifier = randomBytes(32).toString('base64url');
  const redirect_uri = `${page === 'console' ? consoleUrl : exportsUrl}/`;
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri,
    state: 'state',
    nonce: 'nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const choice = nextOf(await visitor.go(`${authorizationUrl}?${query.toString()}`), issuer);
  const chosen = await visitor.go(choice, { method: 'POST', body: new URLSearchParams({ member }) });
  const back = new URL(nextOf(await visitor.go(nextOf(chosen, issuer)), issuer));
  const response = await fetch(tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: back.searchParams.get('code') ?? '',
      redirect_uri,
      code_verifier: verifier,
    }),
  });
  const { access_token: accessToken, id_token: idToken } = v.parse(tokenAnswer, await response.json());
  return { accessToken, idToken };
}

/** A member of staff who calls the API. */
export class StaffCaller {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor({ baseUrl }: Pick<StackFile, 'baseUrl'>, token: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  static async of(file: StackFile, member: MemberName): Promise<StaffCaller> {
    return new StaffCaller(file, (await signIn(file, member)).idToken);
  }

  async get(path: string) {
    return await this.#call('GET', path);
  }

  async post(path: string, body?: object) {
    return await this.#call('POST', path, body);
  }

  async delete(path: string) {
    return await this.#call('DELETE', path);
  }

  async #call(method: string, path: string, body?: object): Promise<Answer<Record<string, unknown>>> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const request = {
      method,
      url: `${this.#baseUrl}/omi/staff${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    };
    return await exchange(request, v.optional(v.record(v.string(), v.unknown()), {}));
  }
}
