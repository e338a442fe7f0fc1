import { decomposeUnverifiedJwt, type DecomposedJwt } from 'aws-jwt-verify/jwt';
import { Unauthenticated } from './unauthenticated.ts';

/** Seconds since 1970 that a `Date` can hold. */
const latestDate = 8.64e12;

const isDate = (seconds = 0): boolean => Math.abs(seconds) <= latestDate;

/** Bytes of the signatures by elliptic curve whose length is fixed: RFC 7518, section 3.4. */
const signatureLengths = new Map([
  ['ES256', 64],
  ['ES384', 96],
  ['ES512', 132],
]);

function hasSignatureLength({ header, signatureB64 }: DecomposedJwt): boolean {
  const length = signatureLengths.get(header.alg ?? '');
  return length === undefined || Buffer.from(signatureB64, 'base64url').length === length;
}

/**
 * Refuses, by its unverified parts, a token that no key can make valid. The library makes the rest of the
 * checks, but it keeps a key object for each `iss` that it meets, knows no `crit` (RFC 7515, section 4.1.11), takes
 * tokens without an end, and fails in its own way on dates and signatures that cannot be.
 */
export function inspectToken(token: string, issuerNames: readonly string[]): void {
  const parts = decomposeUnverifiedJwt(token);
  const { header, payload } = parts;
  if (!issuerNames.includes(payload.iss ?? '')) throw new Unauthenticated('wrong-issuer');
  if (payload.exp === undefined) throw new Unauthenticated('no-expiry');
  if (header['crit'] !== undefined || !isDate(payload.exp) || !isDate(payload.nbf)) {
    throw new Unauthenticated('malformed-token');
  }
  if (!hasSignatureLength(parts)) throw new Unauthenticated('wrong-signature');
}
