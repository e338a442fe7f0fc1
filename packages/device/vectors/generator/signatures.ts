import { p256 } from '@noble/curves/nist.js';

const { Signature } = p256;

/** The other valid ES256 signature for the same data and key: (r, n − s). */
export function mirrored(signature: Uint8Array): Buffer {
  const { r, s } = Signature.fromBytes(signature);
  return Buffer.from(new Signature(r, p256.Point.Fn.neg(s)).toBytes());
}

/** The ASN.1 form of an ES256 signature, which most crypto libraries give, and which no JWS may hold. */
export const derOf = (signature: Uint8Array): Buffer =>
  Buffer.from(Signature.fromBytes(signature).toBytes('der'));
