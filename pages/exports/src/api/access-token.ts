/** Scopes that a token for this page may have. */
export const readScope = 'omi:exports:get';
export const writeScope = 'omi:exports:post';

/** Cognito puts this before each scope of the service. */
const cognitoPrefix = 'omi/';

export type PageToken = {
  text: string;
  /** It also allows tests, pauses and replays. */
  canAct: boolean;
  /** Milliseconds since 1970. */
  expiresAt: number;
};

export type TokenProblem =
  | 'empty'
  | 'not-a-token'
  | 'expired'
  | { missing: typeof readScope }
  | { tooMuch: readonly string[] };

type Claims = { exp?: unknown; scope?: unknown };

function claimsOf(token: string): Claims | undefined {
  const [, payload, signature, ...rest] = token.split('.');
  if (payload === undefined || !signature || rest.length > 0) return undefined;
  try {
    const base64 = payload.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? claims : undefined;
  } catch {
    return undefined;
  }
}

const scopesOf = ({ scope }: Claims): string[] =>
  (typeof scope === 'string' ? scope.split(' ') : [])
    .filter((name) => name !== '')
    .map((name) => (name.startsWith(cognitoPrefix) ? name.slice(cognitoPrefix.length) : name));

/**
 * Reads a pasted token. The service verifies it; here it is only refused if it could do more than this page needs, so that
 * nobody gets used to pasting a website's token into a page.
 */
export function readToken(pasted: string, now: number): PageToken | TokenProblem {
  const text = pasted.trim().replace(/^Bearer\s+/i, '');
  if (text === '') return 'empty';
  const claims = claimsOf(text);
  if (typeof claims?.exp !== 'number') return 'not-a-token';
  const scopes = scopesOf(claims);
  const tooMuch = scopes.filter((scope) => scope !== readScope && scope !== writeScope);
  if (tooMuch.length > 0) return { tooMuch };
  if (!scopes.includes(readScope)) return { missing: readScope };
  const expiresAt = claims.exp * 1000;
  if (expiresAt <= now) return 'expired';
  return { text, canAct: scopes.includes(writeScope), expiresAt };
}

export const isToken = (read: PageToken | TokenProblem): read is PageToken =>
  typeof read === 'object' && 'text' in read;
