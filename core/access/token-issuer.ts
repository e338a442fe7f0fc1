import { CognitoJwtVerifier } from 'aws-jwt-verify/cognito-verifier';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { type FetchDocument, trustworthyUrl } from './fetch-document.ts';
import { discoveredKeys, keysAtUrl } from './signing-keys.ts';

/** The issuer whose tokens are accepted, from the Lambda's environment. */
export type IssuerSettings =
  | { TOKEN_ISSUER_KIND: 'cognito'; COGNITO_USER_POOL_ID: string }
  | { TOKEN_ISSUER_KIND: 'oidc'; OIDC_ISSUER: string; OIDC_AUDIENCE?: string | undefined };

/**
 * Seconds by which the issuer's clock may be ahead: a token is often used within a second of its issue. Expiry has no
 * grace period (`token-verifier.ts`).
 */
const graceSeconds = 5;

/** Cognito puts the resource server's identifier before each scope. */
const cognitoScopePrefix = 'omi/';

export type TokenIssuer = {
  /** Accepted values of `iss`. */
  names: readonly string[];
  /** The prefix of each scope in the issuer's tokens. */
  scopePrefix: string;
  /** A verifier without keys, which it reads when it first needs one. */
  createVerifier: () => { verify: (token: string) => Promise<JwtPayload> };
};

function cognitoPool(userPoolId: string, fetchDocument: FetchDocument): TokenIssuer {
  const nameLike = (form: string) => CognitoJwtVerifier.parseUserPoolId(userPoolId, form).issuer;
  return {
    // Cognito uses either form; the library accepts both.
    names: [nameLike('cognito-idp'), nameLike('issuer-cognito-idp')],
    scopePrefix: cognitoScopePrefix,
    createVerifier: () =>
      CognitoJwtVerifier.create(
        { userPoolId, tokenUse: 'access', clientId: null, graceSeconds },
        { jwksCache: keysAtUrl(fetchDocument) },
      ),
  };
}

function oidcIssuer(issuer: string, audience: string | null, fetchDocument: FetchDocument): TokenIssuer {
  trustworthyUrl(issuer);
  return {
    names: [issuer],
    scopePrefix: '',
    createVerifier: () =>
      JwtVerifier.create(
        { issuer, audience, graceSeconds },
        { jwksCache: discoveredKeys(issuer, fetchDocument) },
      ),
  };
}

export const tokenIssuer = (settings: IssuerSettings, fetchDocument: FetchDocument): TokenIssuer =>
  settings.TOKEN_ISSUER_KIND === 'cognito'
    ? cognitoPool(settings.COGNITO_USER_POOL_ID, fetchDocument)
    : oidcIssuer(settings.OIDC_ISSUER, settings.OIDC_AUDIENCE ?? null, fetchDocument);
