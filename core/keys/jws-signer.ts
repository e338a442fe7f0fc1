import { createHash } from 'node:crypto';
import type { SigningKey } from './signing-key-client.ts';

/**
 * `JWT` for ID tokens, `at+jwt` for access tokens (RFC 9068, section 2.1), `omi-receipt+jwt` for receipts of enrolments,
 * `secevent+jwt` for signals (RFC 8417, section 2.3).
 */
export type JwsType = 'JWT' | 'at+jwt' | 'omi-receipt+jwt' | 'secevent+jwt';

/** A key, and the name under which the service publishes it. */
export type NamedKey = { kid: string; key: Pick<SigningKey, 'sign'>; alg?: 'ES256' | 'RS256' };

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims with ES256, or with RS256 for signals (RFC 7515). Their `kid` finds the key among those that the service publishes. */
export class JwsSigner {
  readonly #key: NamedKey;

  constructor(key: NamedKey) {
    this.#key = key;
  }

  /** One call of KMS. */
  async sign(claims: object, { typ }: { typ: JwsType }): Promise<string> {
    const { kid, key, alg = 'ES256' } = this.#key;
    const signed = `${encoded({ alg, typ, kid })}.${encoded(claims)}`;
    const signature = await key.sign(createHash('sha256').update(signed).digest());
    return `${signed}.${signature.toString('base64url')}`;
  }
}
