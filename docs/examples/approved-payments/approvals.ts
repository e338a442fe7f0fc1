/** Checks an approval token offline: what the user approved is exactly what is carried out, and only once. */
import { isDeepStrictEqual } from 'node:util';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';

export type Detail = { type: string };

export type ApprovalOptions = {
  /** The service's base URL. */
  issuer: string;
  tenantId: string;
  /** This resource server: the client's registered `resource`, or without one its client id. */
  audience: string;
  /** Notes that a token was used. It is atomic, and returns true only to the first caller. */
  use: (tokenId: string, expiresAt: Date) => Promise<boolean>;
  /** The service's signing keys. By default they are fetched, and kept for ten minutes. */
  keys?: JWTVerifyGetKey | undefined;
};

/** The request must not be carried out. */
export class NotApproved extends Error {
  readonly status: 401 | 403;

  constructor(status: 401 | 403, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.status = status;
  }
}

type Approved = { userId: string };

/** Returns a function that throws {@link NotApproved} unless the token approves this very detail. */
export function approvalsFrom({ issuer, tenantId, audience, use, keys }: ApprovalOptions) {
  const keySet = keys ?? createRemoteJWKSet(new URL(`${issuer}/oauth/jwks`));

  /** Signature, issuer, audience and time. The type keeps ID tokens out, which the same key signs. */
  async function claimsOf(token: string): Promise<JWTPayload> {
    const requiredClaims = ['exp', 'jti', 'sub', 'tid'];
    const rules = { issuer, audience, algorithms: ['ES256'], typ: 'at+jwt', requiredClaims };
    try {
      return (await jwtVerify(token, keySet, rules)).payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || faultsOfKeys.has(error.code)) throw error;
      throw new NotApproved(401, 'The token is not valid.', { cause: error });
    }
  }

  return async (token: string, detail: Detail): Promise<Approved> => {
    const { jti = '', sub = '', exp = 0, ...claims } = await claimsOf(token);
    if (claims['tid'] !== tenantId) throw new NotApproved(401, 'The token is of another tenant.');
    const approved = detailsIn(claims['authorization_details']).filter(({ type }) => type === detail.type);
    if (approved.length !== 1 || !isDeepStrictEqual(approved[0], detail))
      throw new NotApproved(403, 'The user approved something else.');
    // Last, so that a request that is refused uses nothing up.
    if (!(await use(jti, new Date(exp * 1000)))) throw new NotApproved(403, 'The approval was used before.');
    return { userId: sub };
  };
}

/** The keys could not be read, which says nothing about the token. */
const faultsOfKeys = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

const detailsIn = (value: unknown): Detail[] =>
  Array.isArray(value) ? value.filter((one: unknown): one is Detail => isDetail(one)) : [];

const isDetail = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
