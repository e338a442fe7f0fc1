import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { type AccessToken, readAccessToken } from './access-token.ts';
import { fetchDocument } from './fetch-document.ts';
import { type IssuerSettings, type TokenIssuer, tokenIssuer } from './token-issuer.ts';
import { Unauthenticated, type UnauthenticatedReason } from './unauthenticated.ts';
import { decomposeUnverifiedJwt, type DecomposedJwt } from 'aws-jwt-verify/jwt';
import {
  CognitoJwtInvalidTokenUseError,
  JwtExpiredError,
  JwtInvalidAudienceError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  JwtParseError,
  JwtWithoutValidKidError,
  KidNotFoundInJwksError,
  WaitPeriodNotYetEndedJwkError,
} from 'aws-jwt-verify/error';

/**
 * The library's errors that an invalid token causes. Every other error is a fault of the service or the issuer. The issuer's
 * name was compared before.
 */
const reasons: [new (...parameters: never[]) => Error, UnauthenticatedReason][] = [
  [JwtParseError, 'malformed-token'],
  [JwtWithoutValidKidError, 'unknown-key'],
  [KidNotFoundInJwksError, 'unknown-key'],
  // The key set was read just before and lacks the key; the library waits before it reads it again.
  [WaitPeriodNotYetEndedJwkError, 'unknown-key'],
  [JwtInvalidSignatureAlgorithmError, 'wrong-algorithm'],
  [JwtInvalidSignatureError, 'wrong-signature'],
  [JwtInvalidAudienceError, 'wrong-audience'],
  [CognitoJwtInvalidTokenUseError, 'wrong-token-use'],
  [JwtExpiredError, 'expired'],
  [JwtNotBeforeError, 'not-yet-valid'],
];

function translateTokenError(error: unknown): unknown {
  const reason = reasons.find(([type]) => error instanceof type)?.[1];
  return reason ? new Unauthenticated(reason) : error;
}

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
function inspectToken(token: string, issuerNames: readonly string[]): void {
  const parts = decomposeUnverifiedJwt(token);
  const { header, payload } = parts;
  if (!issuerNames.includes(payload.iss ?? '')) throw new Unauthenticated('wrong-issuer');
  if (payload.exp === undefined) throw new Unauthenticated('no-expiry');
  if (header['crit'] !== undefined || !isDate(payload.exp) || !isDate(payload.nbf)) {
    throw new Unauthenticated('malformed-token');
  }
  if (!hasSignatureLength(parts)) throw new Unauthenticated('wrong-signature');
}

/** Milliseconds for which a withdrawn key may still be accepted. New keys are read when a token names them. */
const keysLifetimeMs = 3_600_000;

/** RFC 7519, section 4.1.4: invalid at the moment of expiry, too. No grace period, as in `website-handler.ts`. */
function assertNotExpired({ exp = 0 }: JwtPayload): void {
  if (exp * 1000 <= Date.now()) throw new Unauthenticated('expired');
}

export type VerifyToken = (token: string) => Promise<AccessToken>;

/** Verifies a token and returns its claims. */
export type VerifyClaims = (token: string) => Promise<JwtPayload>;

/**
 * Verifies access tokens of the configured issuer: signature, issuer, audience, validity, and for Cognito `token_use`.
 * An invalid token throws {@link Unauthenticated}. Any other error is a fault of the service or the issuer.
 */
export function createTokenVerifier(settings: IssuerSettings, fetch = fetchDocument): VerifyToken {
  const issuer = tokenIssuer(settings, fetch);
  const verify = createClaimsVerifier(issuer);
  return async (token) => readAccessToken(await verify(token), issuer.scopePrefix);
}

/** The same for tokens of any issuer and use. */
export function createClaimsVerifier(issuer: Pick<TokenIssuer, 'names' | 'createVerifier'>): VerifyClaims {
  let verifier = issuer.createVerifier();
  let verifierSince = Date.now();

  const currentVerifier = () => {
    if (Date.now() - verifierSince > keysLifetimeMs) {
      verifier = issuer.createVerifier();
      verifierSince = Date.now();
    }
    return verifier;
  };

  return async (token) => {
    try {
      inspectToken(token, issuer.names);
      const claims = await currentVerifier().verify(token);
      assertNotExpired(claims);
      return claims;
    } catch (error) {
      throw translateTokenError(error);
    }
  };
}
