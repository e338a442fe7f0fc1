import { createHash } from 'node:crypto';
import type { SigningKey } from './signing-key-client.ts';

/** `JWT` for ID tokens, `at+jwt` for access tokens (RFC 9068, section 2.1). */
export type TokenType = 'JWT' | 'at+jwt';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs tokens with ES256 (RFC 7515). Their `kid` finds the key among those that the service publishes. */
export class TokenSigner {
  readonly #key: Pick<SigningKey, 'publicJwk' | 'sign'>;

  constructor(key: Pick<SigningKey, 'publicJwk' | 'sign'>) {
    this.#key = key;
  }

  async sign(claims: object, { typ }: { typ: TokenType }): Promise<string> {
    const { alg, kid } = await this.#key.publicJwk();
    const signed = `${encoded({ alg, typ, kid })}.${encoded(claims)}`;
    const signature = await this.#key.sign(createHash('sha256').update(signed).digest());
    return `${signed}.${signature.toString('base64url')}`;
  }
}
