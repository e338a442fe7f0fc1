import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { PublicKey } from '@omi/website';

/** SHA-256 in base64url. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A key on P-256 that lasts as long as the tests. */
export class SigningKey {
  readonly publicKey: PublicKey;
  /** RFC 7638. */
  readonly thumbprint: string;
  readonly #privateKey: KeyObject;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.publicKey = { kty: 'EC', crv: 'P-256', x, y };
    this.thumbprint = digestOf(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }));
    this.#privateKey = privateKey;
  }

  /** A compact JWS (RFC 7515) with ES256. */
  sign(header: object, claims: object): string {
    const input = `${encode({ alg: 'ES256', ...header })}.${encode(claims)}`;
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  }
}
