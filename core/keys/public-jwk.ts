import { createHash, createPublicKey } from 'node:crypto';
import type { KeyUse } from './key-use.ts';

/** A key that verifies signatures of the service (RFC 7517). */
export type PublicJwk = {
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

/** Signed notes name a key of ECDSA by the first four bytes of this hash (https://c2sp.org/signed-note). */
const noteKeyId = (spki: Uint8Array): string =>
  createHash('sha256').update(spki).digest().subarray(0, 4).toString('hex');

/**
 * The thumbprint, of which receipts have the first 48 bits: each confirmation contains a receipt, and the few keys of a stage
 * need no longer names. Keys of logs have the name that is in notes.
 */
function kidOf(thumbprint: string, use: KeyUse, spki: Uint8Array): string {
  if (use === 'log') return noteKeyId(spki);
  return use === 'receipt' ? thumbprint.slice(0, 8) : thumbprint;
}

/**
 * @param spki a SubjectPublicKeyInfo in DER
 * @throws {Error} if it is not a key on P-256
 */
export function publicJwkOf(spki: Uint8Array, use: KeyUse): PublicJwk {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const { crv, x = '', y = '' } = key.export({ format: 'jwk' });
  if (crv !== 'P-256') throw new Error('A key that signs must be on P-256.');
  return { kty: 'EC', crv, x, y, use: 'sig', alg: 'ES256', kid: kidOf(thumbprintOf(x, y), use, spki) };
}
