/**
 * ECDSA with the nonces of RFC 6979, so that the same vectors come out of every run. Not for real keys: the arithmetic does
 * not take constant time.
 */
import { createECDH, createHash, createHmac } from 'node:crypto';

export type Curve = { openSslName: string; order: bigint; bytes: number; hash: string };

export const p256: Curve = {
  openSslName: 'prime256v1',
  order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  bytes: 32,
  hash: 'sha256',
};

export const p384: Curve = {
  openSslName: 'secp384r1',
  order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  bytes: 48,
  hash: 'sha384',
};

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

const toBytes = (value: bigint, { bytes }: Curve): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex');

/** @returns the coordinates of the private key's public point */
export function publicPoint(privateKey: Uint8Array, { openSslName, bytes }: Curve): { x: Buffer; y: Buffer } {
  const ecdh = createECDH(openSslName);
  ecdh.setPrivateKey(privateKey);
  const point = ecdh.getPublicKey();
  return { x: point.subarray(1, 1 + bytes), y: point.subarray(1 + bytes) };
}

/** RFC 6979, section 3.2, for hashes that are as long as the order. */
function* nonces(privateKey: Uint8Array, digest: Buffer, curve: Curve): Generator<bigint> {
  const hmac = (key: Uint8Array, ...parts: Uint8Array[]): Buffer =>
    createHmac(curve.hash, key).update(Buffer.concat(parts)).digest();
  const seed = [privateKey, toBytes(toNumber(digest) % curve.order, curve)];
  let key: Buffer = Buffer.alloc(curve.bytes, 0);
  let value: Buffer = Buffer.alloc(curve.bytes, 1);
  for (const step of [0, 1]) {
    key = hmac(key, value, Buffer.of(step), ...seed);
    value = hmac(key, value);
  }
  for (;;) {
    value = hmac(key, value);
    const nonce = toNumber(value);
    if (nonce > 0n && nonce < curve.order) yield nonce;
    key = hmac(key, value, Buffer.of(0));
    value = hmac(key, value);
  }
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square, rest] = [1n, base % modulus, exponent];
  for (; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** @returns r and s, one after the other (RFC 7518, section 3.4) */
export function signDeterministically(data: Uint8Array, privateKey: Uint8Array, curve: Curve): Buffer {
  const { order } = curve;
  const digest = createHash(curve.hash).update(data).digest();
  for (const nonce of nonces(privateKey, digest, curve)) {
    const r = toNumber(publicPoint(toBytes(nonce, curve), curve).x) % order;
    const inverse = power(nonce, order - 2n, order);
    const s = (inverse * (toNumber(digest) + r * toNumber(privateKey))) % order;
    if (r > 0n && s > 0n) return Buffer.concat([toBytes(r, curve), toBytes(s, curve)]);
  }
  throw new Error('There is always another nonce');
}

/** The other valid signature for the same data and key: (r, n − s). */
export function mirrored(signature: Uint8Array, curve: Curve): Buffer {
  const [r, s] = [signature.subarray(0, curve.bytes), signature.subarray(curve.bytes)];
  return Buffer.concat([r, toBytes(curve.order - toNumber(s), curve)]);
}

/** The ASN.1 form of a signature, which most crypto libraries give, and which no JWS may hold. */
export function derOf(signature: Uint8Array, { bytes }: Curve): Buffer {
  const integer = (part: Uint8Array): Buffer => {
    const start = part.findIndex((byte) => byte !== 0);
    const digits = part.subarray(start);
    const value = Buffer.concat([Buffer.alloc((digits[0] ?? 0) >> 7), digits]);
    return Buffer.concat([Buffer.of(2, value.length), value]);
  };
  const content = Buffer.concat([integer(signature.subarray(0, bytes)), integer(signature.subarray(bytes))]);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}
