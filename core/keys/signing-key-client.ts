import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { joseSignature } from './ecdsa-signature.ts';
import type { KeyUse } from './key-use.ts';
import { type PublicJwk, publicJwkOf } from './public-jwk.ts';

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
