/** In the place of `node:crypto` in the browser: what `@omi/testing` uses of it, which must answer at once. */
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const base64url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

type Encoding = 'base64' | 'base64url';

/** Bytes that write themselves as text. */
const bytesFrom = (bytes: Uint8Array) =>
  Object.assign(Uint8Array.from(bytes), {
    toString: (encoding?: Encoding) => (encoding === 'base64' ? base64(bytes) : base64url(bytes)),
  });

const bytesOf = (text: string) => bytesFrom(new TextEncoder().encode(text));

// Only this of Node.js' Buffer is used.
Object.assign(globalThis, { Buffer: { from: bytesOf } });

export const randomUUID = (): string => crypto.randomUUID();

export const randomBytes = (length: number) => bytesFrom(crypto.getRandomValues(new Uint8Array(length)));

export const createHash = (_algorithm: 'sha256') => ({
  update: (text: string) => ({
    digest: (encoding: Encoding) => bytesFrom(sha256(bytesOf(text))).toString(encoding),
  }),
});

/** The playground's website has no callbacks to sign. */
export const createHmac = (): never => {
  throw new Error('There are no callbacks in the browser.');
};

/** As a JSON Web Key, the only form that is asked for. */
class PublicKey {
  readonly #point: Uint8Array;

  constructor(point: Uint8Array) {
    this.#point = point;
  }

  export(): { x: string; y: string } {
    return { x: base64url(this.#point.subarray(1, 33)), y: base64url(this.#point.subarray(33)) };
  }
}

export type KeyObject = { secret: Uint8Array };

export function generateKeyPairSync(): { publicKey: PublicKey; privateKey: KeyObject } {
  const { secretKey } = p256.keygen();
  return { publicKey: new PublicKey(p256.getPublicKey(secretKey, false)), privateKey: { secret: secretKey } };
}

export const sign = (_algorithm: 'sha256', input: Uint8Array, { key }: { key: KeyObject }) =>
  bytesFrom(p256.sign(input, key.secret));
