/** Reads what a device sends, leniently: what is wrong with it is for the rules to say. */
import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';

export type Members = Record<string, unknown>;

/** A compact JWS as it arrived. */
export type Message = {
  jws: string;
  header: Members;
  claims: Members;
  headerText: string;
  claimsText: string;
};

/** @returns undefined if these are not three parts, two of which are JSON objects */
export function readMessage(jws: string): Message | undefined {
  const parts = jws.split('.');
  if (parts.length !== 3) return undefined;
  const [headerText = '', claimsText = ''] = parts.map((part) => Buffer.from(part, 'base64url').toString());
  const [header, claims] = [parse(headerText), parse(claimsText)];
  return header && claims && { jws, header, claims, headerText, claimsText };
}

function parse(text: string): Members | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined;
  } catch {
    return undefined;
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** RFC 7638. */
export const thumbprintOf = ({ crv, kty, x, y }: JsonWebKey): string =>
  sha256(JSON.stringify({ crv, kty, x, y }));

/** ES256: r and s, 32 bytes each (RFC 7518, section 3.4). */
export function isSignedBy(key: JsonWebKey, { jws }: Message): boolean {
  const end = jws.lastIndexOf('.');
  const signature = Buffer.from(jws.slice(end + 1), 'base64url');
  return verifies(key, Buffer.from(jws.slice(0, end)), signature, 'ieee-p1363');
}

/** @param dsaEncoding how r and s are written: side by side in a JWS, in DER in an assertion */
export function verifies(
  key: JsonWebKey,
  data: Buffer,
  signature: Buffer,
  dsaEncoding: 'ieee-p1363' | 'der',
): boolean {
  try {
    return verify('sha256', data, { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding }, signature);
  } catch {
    return false;
  }
}
