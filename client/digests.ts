import { createHash, type JsonWebKey } from 'node:crypto';

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');

/** The public identity of a challenge: anyone who knows tenant and nonce can compute it. */
export const challengeIdOf = (tenantId: string, nonce: string): string => sha256(`${tenantId}\n${nonce}`);

/** The JWK thumbprint (RFC 7638) of a P-256 key. */
export const thumbprintOf = ({ crv, kty, x, y }: JsonWebKey): string =>
  sha256(JSON.stringify({ crv, kty, x, y }));

export const messageHashOf = (message: string): string => sha256(message);
