import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';

/** What a secret belongs to. KMS opens it only with the same context, so a copy in another place is useless. */
export type SecretContext = Record<string, string>;

/** Keeps short texts secret at rest, with one KMS key. */
export class SecretBox {
  readonly #kms: KMSClient;
  readonly #keyId: string;

  constructor(kms: KMSClient, keyId: string) {
    this.#kms = kms;
    this.#keyId = keyId;
  }

  /**
   * @param text at most 4 KB, and not empty
   * @returns base64
   */
  async seal(text: string, context: SecretContext): Promise<string> {
    const { CiphertextBlob } = await this.#kms.send(
      new EncryptCommand({
        KeyId: this.#keyId,
        Plaintext: Buffer.from(text),
        EncryptionContext: context,
      }),
    );
    if (!CiphertextBlob) throw new Error('KMS did not answer with the sealed text.');
    return Buffer.from(CiphertextBlob).toString('base64');
  }

  /** @throws {InvalidCiphertextException} if the text was sealed for another context */
  async open(sealed: string, context: SecretContext): Promise<string> {
    const { Plaintext } = await this.#kms.send(
      new DecryptCommand({
        // Without it KMS would take any key that the text names.
        KeyId: this.#keyId,
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: context,
      }),
    );
    if (!Plaintext) throw new Error('KMS did not answer with the opened text.');
    return Buffer.from(Plaintext).toString();
  }
}
