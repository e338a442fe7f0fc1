import * as v from 'valibot';
import { ClientError, exchange, type Answer } from './http.ts';

export type ClientCredentials = { tokenUrl: string; clientId: string; clientSecret: string };

const grantedSchema = v.looseObject({
  access_token: v.string(),
  token_type: v.string(),
  expires_in: v.number(),
  scope: v.exactOptional(v.string()),
});
export type GrantedToken = v.InferOutput<typeof grantedSchema>;

/** One token request (RFC 6749, 4.4). The credentials are in the Authorization header, or in the form. */
export async function requestToken(
  { tokenUrl, clientId, clientSecret }: ClientCredentials,
  { scope, credentialsIn = 'basic' }: { scope?: string; credentialsIn?: 'basic' | 'form' } = {},
): Promise<Answer<GrantedToken>> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) form.set('scope', scope);
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (credentialsIn === 'form') {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    // RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  return await exchange({ method: 'POST', url: tokenUrl, headers, body: form.toString() }, grantedSchema);
}

/** Keeps an access token, and requests the next one shortly before it expires. One request at a time. */
export class TokenSource {
  readonly #credentials: ClientCredentials;
  readonly #scope: string | undefined;
  #current: Promise<{ token: string; renewAt: number }> | undefined;

  constructor(credentials: ClientCredentials, scope?: string) {
    this.#credentials = credentials;
    this.#scope = scope;
  }

  async token(): Promise<string> {
    this.#current ??= this.#request();
    let held;
    try {
      held = await this.#current;
    } catch (error) {
      this.#current = undefined;
      throw error;
    }
    if (held.renewAt > Date.now()) return held.token;
    this.#current = this.#request();
    return (await this.#current).token;
  }

  async #request() {
    const answer = await requestToken(
      this.#credentials,
      this.#scope === undefined ? {} : { scope: this.#scope },
    );
    if (!answer.ok) throw new ClientError(`The issuer refused the token request: ${answer.text}`);
    const { access_token: token, expires_in: seconds } = answer.body;
    return { token, renewAt: Date.now() + (seconds - 60) * 1000 };
  }
}
