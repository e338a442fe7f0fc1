/**
 * From an ES256 signature alone, another public key follows that verifies it (SEC 1, section 4.1.6). So a signature does not say
 * whose it is: the signed text must name its key.
 */
import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { jwkOf, type PublicJwk } from './keys.ts';

/** The key that verifies this compact JWS and is not its signer's. */
export function secondKeyOf(jws: string, signer: PublicJwk): PublicJwk {
  const at = jws.lastIndexOf('.');
  const digest = createHash('sha256').update(jws.slice(0, at)).digest();
  const { r, s } = p256.Signature.fromBytes(Buffer.from(jws.slice(at + 1), 'base64url'));
  const keys = [0, 1].map((recovery) =>
    jwkOf(new p256.Signature(r, s, recovery).recoverPublicKey(digest).toBytes(false), 'P-256'),
  );
  const [second] = keys.filter(({ x }) => x !== signer.x);
  if (!second || !keys.some(({ x }) => x === signer.x))
    throw new Error('The signature is not that of the signer.');
  return second;
}
