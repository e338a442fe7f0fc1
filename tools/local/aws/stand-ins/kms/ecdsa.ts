import { createECDH, type KeyObject, randomBytes } from 'node:crypto';

/** The order of P-256's group (FIPS 186-5, SP 800-186 section 3.2.1.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const size = 32;

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const bytesOf = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(2 * size, '0'), 'hex');

/** Fermat: the order is prime. */
function inverse(number: bigint): bigint {
  let result = 1n;
  let square = number;
  for (let exponent = order - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * square) % order;
    square = (square * square) % order;
  }
  return result;
}

/** A secret number and the x coordinate of its point. */
function newPoint(): { secret: bigint; x: bigint } {
  const secret = numberOf(randomBytes(size));
  if (secret === 0n || secret >= order) return newPoint();
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(bytesOf(secret));
  return { secret, x: numberOf(curve.getPublicKey().subarray(1, 1 + size)) % order };
}

/** An INTEGER of DER: without leading zeros, but never negative. */
function integer(number: bigint): Buffer {
  const bytes = bytesOf(number);
  const start = bytes.findIndex((byte) => byte !== 0);
  const significant = bytes.subarray(start);
  const padding = Buffer.alloc((significant[0] ?? 0) > 0x7f ? 1 : 0);
  return Buffer.concat([Buffer.from([0x02, padding.length + significant.length]), padding, significant]);
}

/**
 * An ECDSA signature in DER (FIPS 186-5, section 6.4.1) over a digest that the caller made. Node.js itself signs only
 * messages, which it hashes.
 */
export function signDigest(privateKey: KeyObject, digest: Buffer): Buffer {
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const { secret, x: r } = newPoint();
  const s = (inverse(secret) * (numberOf(digest) + r * numberOf(Buffer.from(d, 'base64url')))) % order;
  if (r === 0n || s === 0n) return signDigest(privateKey, digest);
  const sequence = Buffer.concat([integer(r), integer(s)]);
  return Buffer.concat([Buffer.from([0x30, sequence.length]), sequence]);
}
