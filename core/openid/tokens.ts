import { randomUUID } from 'node:crypto';
import type { RegisteredClient } from '../access/registered-client.ts';
import type { Confirmation } from '../confirmations/confirmation.ts';
import { fromStoredJws } from '../devices/protocol/stored-jws.ts';
import { parseJson } from '../kernel/json.ts';
import type { JwsSigner } from '../keys/jws-signer.ts';
import { minutes, seconds } from '../kernel/time.ts';

export type TokenDeps = { signer: Pick<JwsSigner, 'sign'>; issuer: string };

/** What the tokens tell: who confirmed what, for which client. */
export type Grant = {
  confirmation: Confirmation;
  client: Pick<RegisteredClient, 'clientId' | 'resource'>;
  authReqId: string;
  /** Thumbprint of the key to which the access token is bound (RFC 9449). */
  jkt?: string | undefined;
  now: number;
};

/** Successful token response (RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3; RFC 9396, section 7). */
export type TokenResponse = {
  access_token: string;
  token_type: 'Bearer' | 'DPoP';
  expires_in: number;
  scope: string;
  id_token: string;
  authorization_details?: unknown;
};

const lifetimeSeconds = (10 * minutes) / seconds;

const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / seconds);

export async function issueTokens({ signer, issuer }: TokenDeps, grant: Grant): Promise<TokenResponse> {
  const [idToken, accessToken] = await Promise.all([
    signer.sign(idTokenClaims(issuer, grant), { typ: 'JWT' }),
    signer.sign(accessTokenClaims(issuer, grant, randomUUID()), { typ: 'at+jwt' }),
  ]);
  return tokenResponse(grant, idToken, accessToken);
}

export const tokenResponse = (grant: Grant, idToken: string, accessToken: string): TokenResponse => ({
  access_token: accessToken,
  token_type: grant.jkt === undefined ? 'Bearer' : 'DPoP',
  expires_in: lifetimeSeconds,
  scope: scopeOf(grant),
  id_token: idToken,
  ...detailsOf(grant.confirmation),
});

/** OpenID Connect Core 1.0, section 2, with the device's signed answer, and what verifies it. */
export const idTokenClaims = (issuer: string, grant: Grant) => ({
  ...commonClaims(issuer, grant),
  aud: grant.client.clientId,
  'urn:openid:params:jwt:claim:auth_req_id': grant.authReqId,
  omi_evidence: grant.confirmation.evidence,
  omi_context: grant.confirmation.context,
  omi_receipt: grant.confirmation.receipt && fromStoredJws(grant.confirmation.receipt),
  omi_device_key: grant.confirmation.deviceKey,
  omi_passkey_key: grant.confirmation.passkeyKey,
});

/** RFC 9068, section 2.2. */
export const accessTokenClaims = (issuer: string, grant: Grant, jti: string) => ({
  ...commonClaims(issuer, grant),
  aud: grant.client.resource ?? grant.client.clientId,
  client_id: grant.client.clientId,
  jti,
  scope: scopeOf(grant),
  ...(grant.jkt !== undefined && { cnf: { jkt: grant.jkt } }),
  ...detailsOf(grant.confirmation),
});

const commonClaims = (issuer: string, { confirmation, now }: Grant) => ({
  iss: issuer,
  sub: confirmation.userId,
  tid: confirmation.tenantId,
  iat: inSeconds(now),
  exp: inSeconds(now) + lifetimeSeconds,
  auth_time: inSeconds(confirmation.decidedAt ?? now),
  amr: methodsOf(confirmation),
});

/** Authentication methods of RFC 8176. `pop`: the device proved that it has its key. */
const methodsOf = ({ userVerified }: Confirmation): string[] =>
  userVerified ? ['pop', 'user', 'mfa'] : ['pop'];

const scopeOf = ({ confirmation: { ciba } }: Grant): string => ciba?.scope ?? 'openid';

/** Numbers of the details keep their digits. */
const detailsOf = ({ details }: Confirmation) =>
  details !== undefined && { authorization_details: parseJson(details) };
