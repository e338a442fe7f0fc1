import { base64, utf8 } from '../../evidence/src/bytes.ts';
import { exchange, type HttpAnswer } from './exchange.ts';
import { secondsOf } from './failure.ts';
import { OmiError } from './omi-error.ts';
import { isTransient } from './retries.ts';
import type { TokenOptions } from './types.ts';

export type TokenSource = {
  /** A token with this scope. */
  token: (scope: string) => Promise<string>;
  /** The service refused the token: the next one is a new one. */
  discard: (token: string) => void;
};

type Surroundings = { fetch: typeof globalThis.fetch; now: () => number };
type Client = Extract<TokenOptions, { tokenUrl: string }>;
type Held = { token: string; renewAt: number; endsAt: number; scopes: ReadonlySet<string> };

const PATIENCE_MS = 10_000;
/** How long a valid token is used after a failed renewal, until the next attempt. */
const RENEWAL_PAUSE_MS = 10_000;
/** Seconds that a token lasts if the issuer does not say it (RFC 6749, section 5.1). */
const SHORTEST_LIFETIME = 300;
/** The identifier of the service's resource server, which Amazon Cognito puts before each scope. */
const COGNITO_PREFIX = 'omi/';

export function tokenSource(options: TokenOptions, surroundings: Surroundings): TokenSource {
  if ('token' in options)
    return { token: async () => checked(await options.token()), discard: () => undefined };
  return new ClientTokens(options, surroundings);
}

/** RFC 6750, section 2.1: other characters would change the header. */
function checked(token: unknown): string {
  if (typeof token === 'string' && /^[\w.~+/-]+=*$/.test(token)) return token;
  throw new OmiError('token-refused', { detail: 'What was returned is not an access token.' });
}

/**
 * The access token of an OAuth 2 client (RFC 6749, section 4.4): one for all callers, with the scopes that were used so far,
 * and renewed before it expires.
 */
class ClientTokens implements TokenSource {
  readonly #client: Client;
  readonly #surroundings: Surroundings;
  #held: Held | undefined;
  #request: { scopes: ReadonlySet<string>; held: Promise<Held> } | undefined;
  #prefix = '';

  constructor(client: Client, surroundings: Surroundings) {
    this.#client = client;
    this.#surroundings = surroundings;
  }

  async token(scope: string): Promise<string> {
    for (;;) {
      const [held, request] = [this.#held, this.#request];
      if (held?.scopes.has(scope) && this.#surroundings.now() < held.renewAt) return held.token;
      if (!request) return (await this.#renew(scope)).token;
      // A request for other scopes may fail because of them.
      if (!request.scopes.has(scope)) await request.held.catch(() => undefined);
      else if ((await request.held).scopes.has(scope)) return (await request.held).token;
    }
  }

  discard(token: string): void {
    if (this.#held?.token === token) this.#held = { ...this.#held, renewAt: -Infinity, endsAt: -Infinity };
  }

  async #renew(scope: string): Promise<Held> {
    const scopes = new Set(this.#held?.scopes).add(scope);
    this.#request = {
      scopes,
      held: this.#obtain(scopes, scope).catch((error: unknown) => this.#stillValid(scope, error)),
    };
    try {
      return (this.#held = await this.#request.held);
    } finally {
      this.#request = undefined;
    }
  }

  /** While the issuer cannot be reached, the token serves to its end. */
  #stillValid(scope: string, error: unknown): Held {
    const [held, now] = [this.#held, this.#surroundings.now()];
    if (!isTransient(error) || !held?.scopes.has(scope) || held.endsAt <= now) throw error;
    return { ...held, renewAt: now + RENEWAL_PAUSE_MS };
  }

  /** @param needed the scope without which the token is of no use: others may have been taken from the client */
  async #obtain(scopes: ReadonlySet<string>, needed: string): Promise<Held> {
    const answer = await this.#ask(scopes);
    if (errorOf(answer) === 'invalid_scope' && scopes.size > 1)
      return await this.#obtain(new Set([needed]), needed);
    if (!answer.ok) throw refusalOf(answer);
    const { access_token: token, expires_in: seconds } = (answer.body ?? {}) as Record<string, unknown>;
    const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : SHORTEST_LIFETIME;
    const now = this.#surroundings.now();
    // A minute before the end; later for a token that lasts only minutes.
    const renewAt = now + Math.max(lifetime - 60, lifetime / 2) * 1000;
    return { token: checked(token), renewAt, endsAt: now + lifetime * 1000, scopes };
  }

  /** Cognito knows the scopes by another name than other issuers. */
  async #ask(scopes: ReadonlySet<string>): Promise<HttpAnswer> {
    const answer = await this.#post(scopes, this.#prefix);
    if (this.#prefix !== '' || errorOf(answer) !== 'invalid_scope') return answer;
    const prefixed = await this.#post(scopes, COGNITO_PREFIX);
    if (!prefixed.ok) return answer;
    this.#prefix = COGNITO_PREFIX;
    return prefixed;
  }

  async #post(scopes: ReadonlySet<string>, prefix: string): Promise<HttpAnswer> {
    const { tokenUrl, clientId, clientSecret } = this.#client;
    const scope = [...scopes].map((name) => prefix + name).join(' ');
    // RFC 6749, section 2.3.1: both parts are form-encoded before they are joined.
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    const request = {
      method: 'POST',
      url: tokenUrl,
      headers: {
        authorization: `Basic ${base64(utf8(pair))}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
      patience: PATIENCE_MS,
    };
    const answer = await exchange(this.#surroundings.fetch, request);
    if (answer.status === 429 || answer.status >= 500) throw refusalOf(answer);
    return answer;
  }
}

function errorOf({ body }: HttpAnswer): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
}

/** Repeats nothing of the answer but its error code: a hostile one could return the secret. */
function refusalOf(answer: HttpAnswer): OmiError {
  const reason = errorOf(answer) ?? 'no access token';
  return new OmiError('token-refused', {
    status: answer.status,
    detail: `The token URL answered ${answer.status} (${reason}).`,
    retryAfter: secondsOf(answer.headers.get('retry-after')),
  });
}
