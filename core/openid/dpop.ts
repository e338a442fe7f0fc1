import { randomUUID } from 'node:crypto';
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  errors,
  importJWK,
  type JWK,
} from 'jose';
import * as v from 'valibot';
import type { BaseUrls } from '../kernel/base-urls.ts';
import { minutes, seconds } from '../kernel/time.ts';
import { endpointsOf } from './endpoints.ts';
import { OAuthError } from './oauth-error.ts';
import type { UsedAssertionStore } from './used-assertion-store.ts';

/** Algorithms of proofs. */
export const proofAlgorithms = ['ES256'] as const;

const longestAgeMs = 5 * minutes;
/** How far a client's clock may be ahead. */
const longestLeadMs = 60 * seconds;
const longestProof = 8 * 1024;

const header = v.looseObject({
  typ: v.literal('dpop+jwt'),
  alg: v.picklist(proofAlgorithms),
  jwk: v.looseObject({ kty: v.literal('EC'), crv: v.literal('P-256'), x: v.string(), y: v.string() }),
});

const claims = v.looseObject({
  jti: v.pipe(v.string(), v.nonEmpty(), v.maxLength(256)),
  htm: v.literal('POST'),
  htu: v.string(),
  iat: v.pipe(v.number(), v.finite()),
});

const invalidProof = (description: string, cause?: unknown): OAuthError =>
  new OAuthError('invalid_dpop_proof', description, { cause });

export type ProofDeps = { usedAssertions: UsedAssertionStore; issuers: BaseUrls };

/**
 * Verifies a proof of possession for the token endpoint (RFC 9449, section 4.3). It may be used once.
 *
 * @returns the thumbprint of its key, to which the access token is bound
 * @throws {OAuthError} `invalid_dpop_proof`
 */
export async function verifyProof(
  { usedAssertions, issuers }: ProofDeps,
  proof: string,
  { clientId, now }: { clientId: string; now: number },
): Promise<string> {
  const { jwk, payload } = await signed(proof);
  const result = v.safeParse(claims, payload);
  if (!result.success)
    throw invalidProof('Expected the claims jti, htm (POST), htu and iat in the DPoP proof.');
  const { jti, htu, iat } = result.output;
  if (!issuers.some((issuer) => endpointsOf(issuer).token === withoutQuery(htu)))
    throw invalidProof('Expected the claim htu of the DPoP proof to be the URL of the token endpoint.');
  if (iat * seconds < now - longestAgeMs || iat * seconds > now + longestLeadMs)
    throw invalidProof('Expected a DPoP proof that was made just now.');
  const jkt = await calculateJwkThumbprint(jwk);
  const use = { clientId, jti: `dpop ${jkt} ${jti}`, expiresAt: iat * seconds + longestAgeMs };
  if (await usedAssertions.use(use, randomUUID())) return jkt;
  throw invalidProof('The DPoP proof was used before: make another one, with its own jti.');
}

/** The client of the profile fapi sent none. */
export const missingProof = (): OAuthError =>
  invalidProof('Expected the header DPoP: the access tokens of this client are bound to a key.');

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

async function signed(proof: string): Promise<{ jwk: JWK; payload: unknown }> {
  try {
    const { jwk, crit, alg, typ } = proof.length > longestProof ? {} : decodeProtectedHeader(proof);
    const result = v.safeParse(header, { jwk, alg, typ });
    if (!result.success || crit !== undefined || (jwk && 'd' in jwk)) throw malformed();
    const { kty, crv, x, y } = result.output.jwk;
    const key = { kty, crv, x, y };
    const { payload } = await compactVerify(proof, await importJWK(key, 'ES256'), { algorithms: ['ES256'] });
    return { jwk: key, payload: JSON.parse(new TextDecoder().decode(payload)) as unknown };
  } catch (error) {
    const isFaultOfInput =
      error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError;
    throw isFaultOfInput || error instanceof DOMException ? malformed(error) : error;
  }
}

const malformed = (cause?: unknown): OAuthError =>
  invalidProof(
    'Expected one DPoP proof: a JWT with typ dpop+jwt, alg ES256 and the public key as jwk, signed by that key.',
    cause,
  );
