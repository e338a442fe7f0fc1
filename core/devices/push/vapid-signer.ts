import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { hours } from '../../kernel/time.ts';
import { publicKeyOf, type VapidKey } from './vapid-key.ts';

/** RFC 8292, section 2: at most 24 hours. */
const validityMs = 12 * hours;

type SigningKey = { publicKey: string; privateKey: KeyObject };

type Signed = { header: string; until: number };

/** Makes the header `Authorization` of a push (RFC 8292), which a push service accepts for hours. */
export class VapidSigner {
  readonly #contact: string;
  readonly #readKey: () => Promise<VapidKey>;
  readonly #signed = new Map<string, Signed>();
  #key: Promise<SigningKey> | undefined;

  /**
   * @param contact a `mailto:` or `https:` URL for the push service's operator; Apple's answers 403 without a valid one
   * @param readKey is called once, and again after a failure
   */
  constructor(contact: string, readKey: () => Promise<VapidKey>) {
    this.#contact = contact;
    this.#readKey = readKey;
  }

  async authorizationFor(origin: string, now: number): Promise<string> {
    const known = this.#signed.get(origin);
    if (known && known.until > now) return known.header;
    const { publicKey, privateKey } = await this.#loadKey();
    const exp = Math.floor((now + validityMs) / 1000);
    const header = `vapid t=${tokenOf({ aud: origin, sub: this.#contact, exp }, privateKey)}, k=${publicKey}`;
    this.#signed.set(origin, { header, until: now + validityMs / 2 });
    return header;
  }

  async #loadKey(): Promise<SigningKey> {
    this.#key ??= this.#import();
    try {
      return await this.#key;
    } catch (error) {
      this.#key = undefined;
      throw error;
    }
  }

  async #import(): Promise<SigningKey> {
    const key = await this.#readKey();
    return { publicKey: publicKeyOf(key), privateKey: createPrivateKey({ key, format: 'jwk' }) };
  }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT by ES256 (RFC 7515). Its only form needs no library, which would be a twentieth of the bundle. */
function tokenOf(claims: { aud: string; sub: string; exp: number }, key: KeyObject): string {
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
