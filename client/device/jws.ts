import { createHmac, sign, type KeyObject } from 'node:crypto';

/** An EC key signs ES256, an RSA key RS256, a secret HS256; 'none' leaves the signature empty. */
export type SigningKey = KeyObject | 'none';

export type JwsTexts = { header: string; payload: string; key: SigningKey };
export type JwsParts = { header: Record<string, unknown>; claims: unknown; key: SigningKey };

/**
 * Makes a compact JWS (RFC 7515), also an invalid one. Libraries refuse to sign invalid content, which tests of a
 * misbehaving device need.
 */
export function signCompact({ header, claims, key }: JwsParts): string {
  const own = { alg: algorithmOf(key), ...header };
  return signTexts({ header: JSON.stringify(own), payload: JSON.stringify(claims), key });
}

/** The same for any texts: with a repeated member, in another spelling, or not JSON. */
export function signTexts({ header, payload, key }: JwsTexts): string {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${signatureOf(input, key).toString('base64url')}`;
}

const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

function algorithmOf(key: SigningKey): string {
  if (key === 'none') return 'none';
  if (key.type === 'secret') return 'HS256';
  return key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
}

function signatureOf(input: string, key: SigningKey): Buffer {
  if (key === 'none') return Buffer.alloc(0);
  if (key.type === 'secret') return createHmac('sha256', key).update(input).digest();
  // RFC 7518, 3.4: the two numbers of an ECDSA signature are concatenated, not in DER.
  return sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
}
