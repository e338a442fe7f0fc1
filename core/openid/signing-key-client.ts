import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { joseSignature } from './ecdsa-signature.ts';
import { type PublicTokenKey, publicJwkOf } from './public-jwk.ts';

/** A KMS key that signs tokens. Its private half never leaves KMS. */
export class SigningKey {
  readonly #kms: KMSClient;
  readonly #keyId: string;
  #publicJwk: Promise<PublicTokenKey> | undefined;

  constructor(kms: KMSClient, keyId: string) {
    this.#kms = kms;
    this.#keyId = keyId;
  }

  /** Read once, because a key of KMS never changes. After a failure the next call reads it again. */
  async publicJwk(): Promise<PublicTokenKey> {
    this.#publicJwk ??= this.#readPublicKey().catch((error: unknown) => {
      this.#publicJwk = undefined;
      throw error;
    });
    return await this.#publicJwk;
  }

  /**
   * @param digest SHA-256 of what is signed
   * @returns the signature as in a JWS
   */
  async sign(digest: Uint8Array): Promise<Buffer> {
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
    return joseSignature(Signature);
  }

  async #readPublicKey(): Promise<PublicTokenKey> {
    const { PublicKey } = await this.#kms.send(new GetPublicKeyCommand({ KeyId: this.#keyId }));
    if (!PublicKey) throw new Error('KMS did not answer with the public key.');
    return publicJwkOf(PublicKey);
  }
}
