import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import type { KeyUse } from './key-use.ts';
import { type PublicJwk, publicJwkOf } from './public-jwk.ts';

/** Bytes of each of the two numbers of a signature on P-256. */
const size = 32;

/** An INTEGER of DER as a number of fixed length; DER drops leading zeros, and adds one where a number would be negative. */
function numberOf(content: Buffer): Buffer {
  const significant = content.subarray(Math.max(0, content.length - size));
  const isTooLong = content.subarray(0, content.length - significant.length).some((byte) => byte !== 0);
  if (isTooLong || content.length === 0) throw new Error('The signature is malformed.');
  return Buffer.concat([Buffer.alloc(size - significant.length), significant]);
}

/**
 * From the form of KMS, `SEQUENCE { r INTEGER, s INTEGER }` in DER (RFC 3279, section 2.2.3), to that of JWS: both numbers
 * in 32 bytes each (RFC 7518, section 3.4).
 *
 * @throws {Error} if the signature is not on P-256
 */
export function joseSignature(der: Uint8Array): Buffer {
  const bytes = Buffer.from(der);
  const rLength = bytes[3] ?? 0;
  const sLength = bytes[5 + rLength] ?? 0;
  const hasForm =
    bytes[0] === 0x30 &&
    bytes[1] === bytes.length - 2 &&
    bytes[2] === 0x02 &&
    bytes[4 + rLength] === 0x02 &&
    6 + rLength + sLength === bytes.length;
  if (!hasForm) throw new Error('The signature is malformed.');
  return Buffer.concat([numberOf(bytes.subarray(4, 4 + rLength)), numberOf(bytes.subarray(6 + rLength))]);
}

/** A KMS key that signs. Its private half never leaves KMS. */
export class SigningKey {
  readonly #kms: KMSClient;
  readonly #keyId: string;

  constructor(kms: KMSClient, keyId: string) {
    this.#kms = kms;
    this.#keyId = keyId;
  }

  /**
   * @param digest SHA-256 of what is signed
   * @returns the signature as in a JWS
   */
  async sign(digest: Uint8Array): Promise<Buffer> {
    return joseSignature(await this.signDer(digest));
  }

  /**
   * @param digest SHA-256 of what is signed
   * @returns the signature in DER (RFC 3279, section 2.2.3)
   */
  async signDer(digest: Uint8Array): Promise<Uint8Array> {
    const { Signature } = await this.#kms.send(
      new SignCommand({
        KeyId: this.#keyId,
        Message: digest,
        // KMS takes messages up to 4,096 bytes; tokens may be longer.
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      }),
    );
    if (!Signature) throw new Error('KMS did not answer with a signature.');
    return Signature;
  }
}

/** The public half of a KMS key that signs. */
export class PublicKey {
  readonly #kms: KMSClient;
  readonly #keyId: string;
  readonly #use: KeyUse;
  #jwk: Promise<PublicJwk> | undefined;

  constructor(kms: KMSClient, keyId: string, use: KeyUse) {
    this.#kms = kms;
    this.#keyId = keyId;
    this.#use = use;
  }

  /** Read once, because a key of KMS never changes. After a failure the next call reads it again. */
  async jwk(): Promise<PublicJwk> {
    this.#jwk ??= this.#read().catch((error: unknown) => {
      this.#jwk = undefined;
      throw error;
    });
    return await this.#jwk;
  }

  async #read(): Promise<PublicJwk> {
    const { PublicKey: spki } = await this.#kms.send(new GetPublicKeyCommand({ KeyId: this.#keyId }));
    if (!spki) throw new Error('KMS did not answer with the public key.');
    return publicJwkOf(spki, this.#use);
  }
}
