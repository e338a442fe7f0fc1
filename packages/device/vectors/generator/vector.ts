import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { isObject, type JsonObject } from './json.ts';
import type { VectorKey } from './keys.ts';
import { now, timeOf } from './story.ts';

/** What the service answers. */
export type Expected = { status: number; code?: string; serverTime?: string; body?: JsonObject };

/** A message before it is signed, and how it is made invalid. */
export type Draft = {
  name: string;
  key: VectorKey;
  header: JsonObject;
  claims: JsonObject;
  /** In place of the JSON of header or claims. */
  bytes?: { header?: string | Uint8Array; claims?: string | Uint8Array };
  /** Changes the signature. */
  signature?: (signature: Buffer) => Uint8Array;
  /** Changes the finished message. */
  text?: (jws: string) => string;
  /** The service's clock, in seconds since 1970. */
  serviceTime?: number;
  /** What the service knows, besides the device, and other members of the vector. */
  given?: JsonObject;
  expected: Expected;
};

const encode = (part: string | Uint8Array): string => Buffer.from(part).toString('base64url');

/** The signed text, and the message with the signature. */
export function signDraft({
  key,
  header,
  claims,
  bytes = {},
  signature = (own) => own,
  text,
}: Draft): string {
  const input = [
    encode(bytes.header ?? JSON.stringify(header)),
    encode(bytes.claims ?? JSON.stringify(claims)),
  ].join('.');
  const jws = `${input}.${encode(signature(key.sign(Buffer.from(input))))}`;
  return text ? text(jws) : jws;
}

/** Three parts in base64url without padding (RFC 7515, section 7.1), the last one of 64 bytes (RFC 7518, section 3.4). */
const compactForm = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/;

/** True if it is a compact JWS with an ES256 signature by the key, whatever else may be wrong with it. */
function hasSignatureOf(jws: string, publicKey: JsonWebKey): boolean {
  const [, header = '', , signature = ''] = compactForm.exec(jws) ?? [];
  if (header === '' || publicKey.crv !== 'P-256' || algorithmIn(header) !== 'ES256') return false;
  const input = Buffer.from(jws.slice(0, jws.lastIndexOf('.')));
  try {
    const key = createPublicKey({ key: publicKey, format: 'jwk' });
    return verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  } catch {
    // A point that is not on the curve is no key.
    return false;
  }
}

function algorithmIn(header: string): unknown {
  const parsed: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
  return isObject(parsed) ? parsed['alg'] : undefined;
}

/** @param publicKey that the service verifies with */
export function vectorOf(draft: Draft, publicKey: JsonWebKey): JsonObject {
  const { name, key, header, claims, bytes, serviceTime = now, given, expected } = draft;
  const jws = signDraft(draft);
  return {
    name,
    key: key.jwk,
    ...(bytes?.header === undefined && { header }),
    ...(bytes?.claims === undefined && { claims }),
    jws,
    signatureIsValid: hasSignatureOf(jws, publicKey),
    serviceTime: timeOf(serviceTime),
    ...given,
    expected,
  };
}

/** The key in the header of an enrolment. */
export const embeddedKeyOf = ({ header }: Draft): JsonWebKey =>
  isObject(header['jwk']) ? header['jwk'] : {};

export const invalidSignature: Expected = { status: 401, code: 'invalid-signature' };
export const invalidRequest: Expected = { status: 400, code: 'invalid-request' };

export const clockSkew = (serviceTime: number): Expected => ({
  status: 401,
  code: 'clock-skew',
  serverTime: timeOf(serviceTime),
});
