import { base64, utf8 } from '../../evidence/src/bytes.ts';
import { exchange, type Http, type HttpAnswer } from './exchange.ts';
import { isTransient } from './retries.ts';
import { secondsOf } from './retry-after.ts';

/** A client, or a function that returns an access token. */
export type TokenOptions =
  | { tokenUrl: string; clientId: string; clientSecret: string }
  | { token: () => Promise<string> };

export type TokenSource = {
  /** A token with these scopes; without any, with those that the issuer gives the client. */
  token: (...scopes: string[]) => Promise<string>;
  /** The service refused the token: the next one is a new one. */
  discard: (token: string) => void;
};

type Surroundings = Http & { now: () => number };
type Client = Extract<TokenOptions, { tokenUrl: string }>;
type Held = { token: string; renewAt: number; endsAt: number; scopes: ReadonlySet<string> };

const patienceMs = 10_000;
/** How long a valid token is used after a failed renewal, until the next attempt. */
const renewalPauseMs = 10_000;
/** Seconds that a token lasts if the issuer does not say it (RFC 6749, section 5.1). */
const shortestLifetimeSeconds = 300;
/** The identifier of the service's resource server, which Amazon Cognito puts before each scope. */
const cognitoPrefix = 'omi/';

export function tokenSource(options: TokenOptions, surroundings: Surroundings): TokenSource {
  if ('token' in options)
    return { token: async () => checked(await options.token(), surroundings), discard: () => undefined };
  return new ClientTokens(options, surroundings);
}

/** RFC 6750, section 2.1: other characters would change the header. */
function checked(token: unknown, { fail }: Http): string {
  if (typeof token === 'string' && /^[\w.~+/-]+=*$/.test(token)) return token;
  throw fail('token-refused', { detail: 'The returned value is not an access token.' });
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

  async token(...scopes: string[]): Promise<string> {
    for (;;) {
      const [held, request] = [this.#held, this.#request];
      if (held && serves(held, scopes) && this.#surroundings.now() < held.renewAt) return held.token;
      if (!request) return (await this.#renew(scopes)).token;
      // A request for other scopes may fail because of them.
      if (!serves(request, scopes)) await request.held.catch(() => undefined);
      else if (serves(await request.held, scopes)) return (await request.held).token;
    }
  }

  discard(token: string): void {
    if (this.#held?.token === token) this.#held = { ...this.#held, renewAt: -Infinity, endsAt: -Infinity };
  }

  async #renew(needed: readonly string[]): Promise<Held> {
    const scopes = new Set([...(this.#held?.scopes ?? []), ...needed]);
    this.#request = {
      scopes,
      held: this.#obtain(scopes, needed).catch((error: unknown) => this.#stillValid(needed, error)),
    };
    try {
      return (this.#held = await this.#request.held);
    } finally {
      this.#request = undefined;
    }
  }

  /** While the issuer cannot be reached, the token serves to its end. */
  #stillValid(needed: readonly string[], error: unknown): Held {
    const [held, now] = [this.#held, this.#surroundings.now()];
    if (!isTransient(error) || !held || !serves(held, needed) || held.endsAt <= now) throw error;
    return { ...held, renewAt: now + renewalPauseMs };
  }

  /** @param needed the scopes without which the token is of no use: others may have been taken from the client */
  async #obtain(scopes: ReadonlySet<string>, needed: readonly string[]): Promise<Held> {
    const answer = await this.#ask(scopes);
    if (errorOf(answer) === 'invalid_scope' && scopes.size > needed.length)
      return await this.#obtain(new Set(needed), needed);
    if (!answer.ok) throw this.#refusalOf(answer);
    const { access_token: token, expires_in: seconds } = (answer.body ?? {}) as Record<string, unknown>;
    const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : shortestLifetimeSeconds;
    const now = this.#surroundings.now();
    // A minute before the end; later for a token that lasts only minutes.
    const renewAt = now + Math.max(lifetime - 60, lifetime / 2) * 1000;
    return { token: checked(token, this.#surroundings), renewAt, endsAt: now + lifetime * 1000, scopes };
  }

  /** Cognito knows the scopes by another name than other issuers. */
  async #ask(scopes: ReadonlySet<string>): Promise<HttpAnswer> {
    const answer = await this.#post(scopes, this.#prefix);
    if (this.#prefix !== '' || errorOf(answer) !== 'invalid_scope') return answer;
    const prefixed = await this.#post(scopes, cognitoPrefix);
    if (!prefixed.ok) return answer;
    this.#prefix = cognitoPrefix;
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
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scope !== '' && { scope }),
      }).toString(),
      patienceMs,
    };
    const answer = await exchange(this.#surroundings, request);
    if (answer.status === 429 || answer.status >= 500) throw this.#refusalOf(answer);
    return answer;
  }

  /** Repeats nothing of the answer but its error code: a hostile one could return the secret. */
  #refusalOf(answer: HttpAnswer): Error {
    const reason = errorOf(answer) ?? 'no access token';
    return this.#surroundings.fail('token-refused', {
      status: answer.status,
      detail: `The token URL answered ${answer.status} (${reason}).`,
      retryAfter: secondsOf(answer.headers.get('retry-after')),
    });
  }
}

const serves = ({ scopes }: { scopes: ReadonlySet<string> }, needed: readonly string[]): boolean =>
  needed.every((scope) => scopes.has(scope));

function errorOf({ body }: HttpAnswer): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
}
