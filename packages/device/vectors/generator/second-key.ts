/**
 * From an ES256 signature alone, another public key follows that verifies it (SEC 1, section 4.1.6). So a signature does not say
 * whose it is: the signed text must name its key.
 */
import { createHash } from 'node:crypto';
import { p256 } from './deterministic-ecdsa.ts';
import type { PublicJwk } from './keys.ts';

/** Undefined is the point at infinity. */
type Point = { x: bigint; y: bigint } | undefined;

const prime = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const base: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};
const { order } = p256;

const modulo = (value: bigint, modulus: bigint): bigint => ((value % modulus) + modulus) % modulus;

function power(start: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, modulo(start, modulus)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

const inverse = (value: bigint, modulus: bigint): bigint => power(value, modulus - 2n, modulus);

function add(one: Point, other: Point): Point {
  if (!one) return other;
  if (!other) return one;
  if (one.x === other.x && modulo(one.y + other.y, prime) === 0n) return undefined;
  const isSame = one.x === other.x;
  const slope = isSame
    ? (3n * one.x * one.x - 3n) * inverse(2n * one.y, prime)
    : (other.y - one.y) * inverse(other.x - one.x, prime);
  const x = modulo(slope * slope - one.x - other.x, prime);
  return { x, y: modulo(slope * (one.x - x) - one.y, prime) };
}

function times(factor: bigint, point: Point): Point {
  let [result, double]: [Point, Point] = [undefined, point];
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, double);
    double = add(double, double);
  }
  return result;
}

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const toText = (value: bigint): string =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64url');

/** Both public keys that verify this signature of the text. One of them is the signer's. */
export function keysOf(signed: string, signature: Uint8Array): PublicJwk[] {
  const [r, s] = [toNumber(signature.subarray(0, 32)), toNumber(signature.subarray(32))];
  const digest = toNumber(createHash('sha256').update(signed).digest());
  // The prime is 3 modulo 4, so this power is a square root.
  const y = power(r * r * r - 3n * r + b, (prime + 1n) / 4n, prime);
  return [y, prime - y].map((either) => {
    const sum = add(times(s, { x: r, y: either }), times(modulo(-digest, order), base));
    const key = times(inverse(r, order), sum);
    if (!key) throw new Error('The signature has no second key.');
    return { kty: 'EC', crv: 'P-256', x: toText(key.x), y: toText(key.y) };
  });
}

/** The key that verifies this compact JWS and is not its signer's. */
export function secondKeyOf(jws: string, signer: PublicJwk): PublicJwk {
  const at = jws.lastIndexOf('.');
  const keys = keysOf(jws.slice(0, at), Buffer.from(jws.slice(at + 1), 'base64url'));
  const [second] = keys.filter(({ x }) => x !== signer.x);
  if (keys.length !== 2 || !second || !keys.some(({ x }) => x === signer.x))
    throw new Error('The signature is not that of the signer.');
  return second;
}
