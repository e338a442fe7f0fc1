import { compactVerify, decodeJwt, decodeProtectedHeader, errors, importJWK, type JWK } from 'jose';
import * as v from 'valibot';
import type { PublicJwk } from '../access/public-jwk.ts';
import { minutes, seconds } from '../kernel/time.ts';
import { invalidClient, notAuthenticated } from './oauth-error.ts';

/** A JWT by which a client authenticates itself (RFC 7523). It is not verified. */
export type ClientAssertion = { clientId: string; assertion: string };

/** An assertion that was verified. It may be used once. */
export type VerifiedAssertion = { clientId: string; jti: string; expiresAt: number };

export type ExpectedAssertion = { keys: readonly PublicJwk[]; audiences: readonly string[]; now: number };

/** Characters: far above every valid assertion. */
const longestAssertionBytes = 8 * 1024;
const longestLifetimeMs = 10 * minutes;
/** How far a client's clock may be ahead. */
const longestLeadMs = 60 * seconds;

/** `NumericDate` of RFC 7519, section 2. */
const date = v.pipe(v.number(), v.finite());

/** The least number of verifications before a refusal, for every client: as many as for a client that changes its key. */
const fewestTries = 2;

/** Public keys that no client has. Their result is ignored. */
const decoys: readonly PublicJwk[] = [
  {
    kty: 'EC',
    crv: 'P-256',
    alg: 'ES256',
    x: '1KPhag2gJWS-7-YoXn2CG_TeTtdp4Uy5MS20fziqz8A',
    y: 's7fzh5RbWyH0-VKiFS_HoRzJvdsXPKSklnX6ujso0K8',
  },
  {
    kty: 'RSA',
    alg: 'RS256',
    e: 'AQAB',
    n: '-cOFz5YQOUAIHRALHsWeHlzuIkEAlXagkOyfnnl0aBzOGIuMF_KsnVfTQJ5RKiGsFlvY0JDv_G-bNzaOY4QwJ4hFoyaijt-jJxllCefWonBYsCdpreHMZ_nyfvfgWgtLg9OsB8vYYRi3uwwFC0XFQ3J9zWf5jNrta8ExHl1gCw9KtP21WWC4CiKuzh3i6BnC9AzJpZlmOhEC3CxOxvEq4xjO148Htitivtp-K8YJk72KKMmV9jOgCz2xjFResYNooiObQV3IhUjK6yaBJ7LlYREiT7chE0IEqTa3dZ6AcB-skFlKYkPPNP9c-1cgZMQTUWOrkuoDAWVf_tttRIV16w',
  },
];

const claimsOf = (clientId: string) =>
  v.object({
    iss: v.literal(clientId),
    sub: v.literal(clientId),
    aud: v.string(),
    jti: v.pipe(v.string(), v.nonEmpty()),
    exp: date,
    iat: v.optional(date),
    nbf: v.optional(date),
  });

/** @throws {OAuthError} `invalid_client` */
export function readAssertion(assertion: string): ClientAssertion {
  const { sub } = assertion.length > longestAssertionBytes ? {} : read(() => decodeJwt(assertion));
  if (typeof sub !== 'string' || sub === '')
    throw invalidClient('Expected a client_assertion of at most 8 KB with the claim sub.');
  // The library knows `b64`, which no JWT may have (RFC 7797, section 7).
  if (headerOf(assertion).crit !== undefined)
    throw invalidClient('Expected a client_assertion without critical headers.');
  return { clientId: sub, assertion };
}

/**
 * Verifies signature, claims and time. The keys alone decide about the algorithm, whatever the header says.
 *
 * @throws {OAuthError} `invalid_client`
 */
export async function verifyAssertion(
  { clientId, assertion }: ClientAssertion,
  { keys, audiences, now }: ExpectedAssertion,
): Promise<VerifiedAssertion> {
  await checkSignature(assertion, keys);
  const result = v.safeParse(claimsOf(clientId), decodeJwt(assertion));
  if (!result.success)
    throw invalidClient(
      'Expected the claims iss and sub (the client id), aud (one string), exp and jti in the client_assertion.',
    );
  const { aud, jti, exp, iat = 0, nbf = 0 } = result.output;
  if (!audiences.includes(withoutFinalSlash(aud)))
    throw invalidClient('Expected the claim aud to be the issuer, or the URL of one of its endpoints.');
  const expiresAt = exp * seconds;
  if (expiresAt <= now) throw invalidClient('The client_assertion has expired.');
  if (expiresAt > now + longestLifetimeMs)
    throw invalidClient('Expected the claim exp at most 10 minutes ahead.');
  if (Math.max(iat, nbf) * seconds > now + longestLeadMs)
    throw invalidClient('The client_assertion is not valid yet.');
  return { clientId, jti, expiresAt };
}

/** Issuers are compared without a final slash, because libraries differ in it. */
export const withoutFinalSlash = (url: string): string => url.replace(/\/$/, '');

function read<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!isFaultOfInput(error)) throw error;
    throw invalidClient('Expected a client_assertion that is a signed JWT (RFC 7519).', error);
  }
}

const headerOf = (assertion: string) => read(() => decodeProtectedHeader(assertion));

async function checkSignature(assertion: string, keys: readonly PublicJwk[]): Promise<void> {
  const { alg, kid } = headerOf(assertion);
  const candidates = keys.filter(
    (key) => key.alg === alg && (kid === undefined || key.kid === undefined || key.kid === kid),
  );
  for (const key of candidates) if (await isSignedBy(assertion, key)) return;
  const [decoy] = decoys.filter((key) => key.alg === alg);
  for (let tries = candidates.length; decoy && tries < fewestTries; tries += 1)
    await isSignedBy(assertion, decoy);
  throw notAuthenticated();
}

async function isSignedBy(assertion: string, key: PublicJwk): Promise<boolean> {
  try {
    await compactVerify(assertion, await importJWK(key as JWK, key.alg), { algorithms: [key.alg] });
    return true;
  } catch (error) {
    if (!isFaultOfInput(error)) throw error;
    return false;
  }
}

const isFaultOfInput = (error: unknown): boolean =>
  error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
