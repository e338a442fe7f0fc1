import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign,
  type JsonWebKey,
} from 'node:crypto';
import type { ECDSA } from '@noble/curves/abstract/weierstrass.js';
import { p256, p384 } from '@noble/curves/nist.js';
import rsaJwk from './rsa-key.json' with { type: 'json' };

/** A key that signs a vector. All of them are published, so none of them may ever be a device's. */
export type VectorKey = { alg: string; jwk: JsonWebKey; sign: (data: Uint8Array) => Buffer };

export type PublicJwk = { kty: 'EC'; crv: string; x: string; y: string };

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

export type EcKey = VectorKey & { publicJwk: PublicJwk };

/** The key of a public point in its uncompressed form. */
export function jwkOf(point: Uint8Array, crv: string): PublicJwk {
  const middle = (1 + point.length) / 2;
  return { kty: 'EC', crv, x: base64url(point.subarray(1, middle)), y: base64url(point.subarray(middle)) };
}

/** Its nonces are those of RFC 6979, so that the same vectors come out of every run. */
function ecKey(name: string, curve: ECDSA, crv: string, alg: string): EcKey {
  const secret = createHash(alg.replace('ES', 'sha')).update(`OMI test vectors: ${name}`).digest();
  const publicJwk = jwkOf(curve.getPublicKey(secret, false), crv);
  return {
    alg,
    publicJwk,
    jwk: { ...publicJwk, d: base64url(secret) },
    sign: (data) => Buffer.from(curve.sign(data, secret, { lowS: false })),
  };
}

export const deviceKey = ecKey('the device', p256, 'P-256', 'ES256');
export const otherKey = ecKey('another device', p256, 'P-256', 'ES256');
export const passkeyKey = ecKey('a passkey', p256, 'P-256', 'ES256');
export const receiptKey = ecKey('a key for receipts', p256, 'P-256', 'ES256');
export const tokenKey = ecKey('a key for tokens', p256, 'P-256', 'ES256');
export const p384Key = ecKey('a P-384 key', p384, 'P-384', 'ES384');

const rsa = createPrivateKey({ key: rsaJwk, format: 'jwk' });
export const rsaKey: VectorKey = { alg: 'RS256', jwk: rsaJwk, sign: (data) => sign('sha256', data, rsa) };
export const rsaPublicJwk: JsonWebKey = createPublicKey(rsa).export({ format: 'jwk' });

/** The public key of the device, which everybody may know, as the secret of an HMAC. */
const publicBytes = createPublicKey({ key: deviceKey.publicJwk, format: 'jwk' }).export({
  format: 'der',
  type: 'spki',
});
export const publicKeyAsSecret: VectorKey = {
  alg: 'HS256',
  jwk: { kty: 'oct', k: base64url(publicBytes) },
  sign: (data) => createHmac('sha256', publicBytes).update(data).digest(),
};
