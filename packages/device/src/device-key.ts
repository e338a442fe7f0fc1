import { base64url, sha256 } from './bytes.ts';
import { DeviceError } from './device-error.ts';

/** A public P-256 key as a JWK (RFC 7517). */
export type PublicJwk = { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };

/** The JWK thumbprint (RFC 7638) of a key: base64url SHA-256. */
export const thumbprintOf = async ({ crv, kty, x, y }: PublicJwk): Promise<string> =>
  base64url(await sha256(JSON.stringify({ crv, kty, x, y })));

/** The device's key. Implement it over any key store; the private key need not be readable. */
export interface DeviceKey {
  readonly publicKey: PublicJwk;
  /** Signs by ES256: ECDSA on P-256 with SHA-256. The result is r and s, 32 bytes each, not DER. */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

type Subtle = typeof globalThis.crypto.subtle;

/** WebCrypto's `CryptoKey`: its name is not global in the types of Node.js. */
type Key = Parameters<Subtle['sign']>[1];

/** WebCrypto's `CryptoKeyPair`. */
export type KeyPair = { readonly privateKey: Key; readonly publicKey: Key };

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

function subtle(): Subtle {
  // Browsers have it in secure contexts only.
  const { crypto } = globalThis as { crypto?: { subtle?: Subtle } };
  if (crypto?.subtle === undefined) throw new DeviceError('no-web-crypto');
  return crypto.subtle;
}

/** A key of WebCrypto. Keep its `keyPair`, for example in IndexedDB, which stores it even if it is not extractable. */
export class WebCryptoKey implements DeviceKey {
  readonly keyPair: KeyPair;
  readonly publicKey: PublicJwk;

  constructor(keyPair: KeyPair, publicKey: PublicJwk) {
    this.keyPair = keyPair;
    this.publicKey = publicKey;
  }

  /** Makes a new key, which cannot be read out of WebCrypto unless `extractable` is true. */
  static async generate({ extractable = false }: { extractable?: boolean } = {}): Promise<WebCryptoKey> {
    return await WebCryptoKey.from(await subtle().generateKey(algorithm, extractable, ['sign', 'verify']));
  }

  /** The key of a stored key pair. */
  static async from(keyPair: KeyPair): Promise<WebCryptoKey> {
    const { x, y } = await subtle().exportKey('jwk', keyPair.publicKey);
    if (x === undefined || y === undefined) throw new DeviceError('invalid-key');
    return new WebCryptoKey(keyPair, { kty: 'EC', crv: 'P-256', x, y });
  }

  async sign(data: Uint8Array): Promise<Uint8Array> {
    const { privateKey } = this.keyPair;
    return new Uint8Array(
      await subtle().sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, new Uint8Array(data)),
    );
  }
}
