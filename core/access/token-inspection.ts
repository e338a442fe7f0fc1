import { decomposeUnverifiedJwt, type DecomposedJwt } from 'aws-jwt-verify/jwt';
import { Unauthenticated } from './unauthenticated.ts';

/** Seconds since 1970: the limit of `Date`. */
const latestDate = 8.64e12;

const isDate = (seconds = 0): boolean => Math.abs(seconds) <= latestDate;

/** Bytes of elliptic curve signatures: RFC 7518, section 3.4. */
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
 * Rejects, by its unverified parts, a token that no key can make valid. These checks complement the library, which keeps a
 * key object for each `iss`, ignores `crit` (RFC 7515, section 4.1.11), accepts tokens without an expiry, and throws other
 * errors for impossible dates and signatures.
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
