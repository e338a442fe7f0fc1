import { generateKeyPairSync } from 'node:crypto';
import * as v from 'valibot';

const coordinate = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));

/** The private key with which the service signs its pushes (RFC 8292), as a JWK. */
export const vapidKey = v.object({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: coordinate,
  y: coordinate,
  d: coordinate,
});
export type VapidKey = v.InferOutput<typeof vapidKey>;

const stored = v.pipe(v.string(), v.parseJson(), vapidKey);

/** The message does not quote the text. */
export class MalformedKey extends Error {}

/** @throws {MalformedKey} */
export function parseVapidKey(text: string): VapidKey {
  const result = v.safeParse(stored, text);
  if (result.success) return result.output;
  throw new MalformedKey('The secret must hold a private P-256 key as a JWK.');
}

const bytesOf = (coordinate: string): Buffer => Buffer.from(coordinate, 'base64url');

/** `applicationServerKey` of the Push API: an uncompressed point. Every subscription is bound to it. */
export const publicKeyOf = ({ x, y }: Pick<VapidKey, 'x' | 'y'>): string =>
  Buffer.concat([Buffer.of(4), bytesOf(x), bytesOf(y)]).toString('base64url');

export const newVapidKey = (): VapidKey =>
  v.parse(vapidKey, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }));
