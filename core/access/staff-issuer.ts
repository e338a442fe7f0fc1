import { CognitoJwtVerifier } from 'aws-jwt-verify/cognito-verifier';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { type FetchDocument, trustworthyUrl } from './fetch-document.ts';
import { discoveredKeys, keysAtUrl } from './signing-keys.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** The issuer whose members use the help desk and the exports page, from the Lambda's environment. */
export type StaffIssuerSettings =
  | { STAFF_ISSUER_KIND: 'cognito'; STAFF_USER_POOL_ID: string }
  | { STAFF_ISSUER_KIND: 'oidc'; STAFF_ISSUER: string; STAFF_GROUPS_CLAIM: string };

/** Seconds by which the issuer's clock may be ahead. */
const graceSeconds = 5;

/** In tokens of Cognito. */
const cognitoGroups = 'cognito:groups';

export type StaffIssuer = Pick<TokenIssuer, 'names' | 'createVerifier'> & {
  /** The claim with the member's groups. */
  groupsClaim: string;
};

/** A pool's tokens name the client in `aud` or, for access tokens, in `client_id`; both kinds have the groups. */
function cognitoPool(userPoolId: string, clientId: string, fetchDocument: FetchDocument): StaffIssuer {
  const nameLike = (form: string) => CognitoJwtVerifier.parseUserPoolId(userPoolId, form).issuer;
  return {
    names: [nameLike('cognito-idp'), nameLike('issuer-cognito-idp')],
    groupsClaim: cognitoGroups,
    createVerifier: () =>
      CognitoJwtVerifier.create(
        { userPoolId, tokenUse: null, clientId, graceSeconds },
        { jwksCache: keysAtUrl(fetchDocument) },
      ),
  };
}

/**
 * Tokens are for one page alone: `aud` has its client id (OpenID Connect Core 1.0, section 2; RFC 9068, section 2.2).
 *
 * @param audience the client of the page
 */
export function staffIssuer(
  settings: StaffIssuerSettings,
  audience: string,
  fetchDocument: FetchDocument,
): StaffIssuer {
  if (settings.STAFF_ISSUER_KIND === 'cognito')
    return cognitoPool(settings.STAFF_USER_POOL_ID, audience, fetchDocument);
  const { STAFF_ISSUER: issuer, STAFF_GROUPS_CLAIM: groupsClaim } = settings;
  trustworthyUrl(issuer);
  return {
    names: [issuer],
    groupsClaim,
    createVerifier: () =>
      JwtVerifier.create(
        { issuer, audience, graceSeconds },
        { jwksCache: discoveredKeys(issuer, fetchDocument) },
      ),
  };
}
