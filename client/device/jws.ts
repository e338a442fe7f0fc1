import { createHmac, sign, type KeyObject } from 'node:crypto';

/** An EC key signs ES256, an RSA key RS256, a secret HS256; 'none' leaves the signature empty. */
export type SigningKey = KeyObject | 'none';

export type JwsParts = { header: Record<string, unknown>; claims: unknown; key: SigningKey };

/**
 * Makes a compact JWS (RFC 7515) of whatever it is given. Libraries refuse to sign what is wrong; a
 * device that must be able to misbehave cannot use them.
 */
export function signCompact({ header, claims, key }: JwsParts): string {
  const input = `${encode({ alg: algorithmOf(key), ...header })}.${encode(claims)}`;
  return `${input}.${signatureOf(input, key).toString('base64url')}`;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

function algorithmOf(key: SigningKey): string {
  if (key === 'none') return 'none';
  if (key.type === 'secret') return 'HS256';
  return key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
}

function signatureOf(input: string, key: SigningKey): Buffer {
  if (key === 'none') return Buffer.alloc(0);
  if (key.type === 'secret') return createHmac('sha256', key).update(input).digest();
  // RFC 7518, 3.4: the two numbers of an ECDSA signature side by side, not in DER.
  return sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
}
