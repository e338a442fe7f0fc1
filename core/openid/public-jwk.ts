import { createHash, createPublicKey } from 'node:crypto';

/** A key that verifies tokens (RFC 7517). */
export type PublicTokenKey = {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  use: 'sig';
  alg: 'ES256';
  kid: string;
};

/** RFC 7638, section 3: SHA-256 of the required members in the order of their names. */
const thumbprintOf = (x: string, y: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');

/**
 * @param spki a SubjectPublicKeyInfo in DER
 * @throws {Error} if it is not a key on P-256
 */
export function publicJwkOf(spki: Uint8Array): PublicTokenKey {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const { crv, x = '', y = '' } = key.export({ format: 'jwk' });
  if (crv !== 'P-256') throw new Error('A key that signs tokens must be on P-256.');
  return { kty: 'EC', crv, x, y, use: 'sig', alg: 'ES256', kid: thumbprintOf(x, y) };
}
