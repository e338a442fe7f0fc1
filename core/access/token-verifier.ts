import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { type AccessToken, readAccessToken } from './access-token.ts';
import { fetchDocument } from './fetch-document.ts';
import { translateTokenError } from './token-errors.ts';
import { inspectToken } from './token-inspection.ts';
import { type IssuerSettings, type TokenIssuer, tokenIssuer } from './token-issuer.ts';
import { Unauthenticated } from './unauthenticated.ts';

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
