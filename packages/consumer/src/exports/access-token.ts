import { ConsumerError } from '../consumer-error.ts';

/** A client of your tenant, or a function that returns an access token. */
export type TokenOptions =
  | { tokenUrl: string; clientId: string; clientSecret: string }
  | { token: () => Promise<string> };

type Client = Extract<TokenOptions, { tokenUrl: string }>;
type Answer = { access_token?: unknown; expires_in?: unknown; error?: unknown };

/** Before the end of a token, in milliseconds, another one is asked for. */
const MARGIN_MS = 60_000;
/** Seconds that a token lasts if the issuer does not say it. */
const SHORTEST_LIFETIME = 300;
const PATIENCE_MS = 10_000;

/** Amazon Cognito puts the identifier of its resource server before each scope; other issuers do not. */
const prefixes = ['', 'omi/'];

/** Access tokens with these scopes (RFC 6749, section 4.4). One token serves until it ends. */
export function tokenSource(
  options: TokenOptions,
  scopes: readonly string[],
  fetch: typeof globalThis.fetch,
): () => Promise<string> {
  if ('token' in options) return options.token;
  let held: { token: string; renewAt: number } | undefined;
  return async () => {
    if (!held || Date.now() >= held.renewAt) held = await obtain(options, scopes, fetch);
    return held.token;
  };
}

async function obtain(
  client: Client,
  scopes: readonly string[],
  fetch: typeof globalThis.fetch,
): Promise<{ token: string; renewAt: number }> {
  for (const prefix of prefixes) {
    const { status, answer } = await ask(client, scopes.map((scope) => prefix + scope).join(' '), fetch);
    const { access_token: token, expires_in: seconds, error } = answer;
    if (status === 200 && typeof token === 'string') {
      const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : SHORTEST_LIFETIME;
      return { token, renewAt: Date.now() + Math.max(lifetime * 1000 - MARGIN_MS, (lifetime * 1000) / 2) };
    }
    if (error !== 'invalid_scope')
      throw new ConsumerError('token-refused', `The token URL answered ${status}.`, { status });
  }
  throw new ConsumerError('token-refused', `The client may not ask for ${scopes.join(' and ')}.`);
}

async function ask(
  { tokenUrl, clientId, clientSecret }: Client,
  scope: string,
  fetch: typeof globalThis.fetch,
): Promise<{ status: number; answer: Answer }> {
  // RFC 6749, section 2.3.1: both parts are form-encoded before they are joined.
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  try {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const answer = (await response.json().catch(() => ({}))) as Answer | null;
    return { status: response.status, answer: answer ?? {} };
  } catch {
    // What fetch throws may hold the request.
    throw new ConsumerError('network', 'The token URL gave no answer.');
  }
}
