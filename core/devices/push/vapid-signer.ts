import { importJWK, SignJWT } from 'jose';
import { hours } from '../../kernel/time.ts';
import { publicKeyOf, type VapidKey } from './vapid-key.ts';

/** RFC 8292, section 2: at most 24 hours. */
const validity = 12 * hours;

type SigningKey = Awaited<ReturnType<typeof importJWK>>;

type Signed = { header: string; until: number };

/** Makes the header `Authorization` of a push (RFC 8292), which a push service accepts for hours. */
export class VapidSigner {
  readonly #contact: string;
  readonly #readKey: () => Promise<VapidKey>;
  readonly #signed = new Map<string, Signed>();
  #key: Promise<{ publicKey: string; signingKey: SigningKey }> | undefined;

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
    const { publicKey, signingKey } = await this.#loadKey();
    const token = await new SignJWT()
      .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
      .setAudience(origin)
      .setSubject(this.#contact)
      .setExpirationTime(Math.floor((now + validity) / 1000))
      .sign(signingKey);
    const header = `vapid t=${token}, k=${publicKey}`;
    this.#signed.set(origin, { header, until: now + validity / 2 });
    return header;
  }

  async #loadKey() {
    this.#key ??= this.#import();
    try {
      return await this.#key;
    } catch (error) {
      this.#key = undefined;
      throw error;
    }
  }

  async #import() {
    const key = await this.#readKey();
    return { publicKey: publicKeyOf(key), signingKey: await importJWK(key, 'ES256') };
  }
}
