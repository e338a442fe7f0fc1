import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';

/** A key that verifies RS256 (RFC 7518, section 6.3.1). */
export type RsaJwk = { kty: 'RSA'; n: string; e: string; use: 'sig'; alg: 'RS256'; kid: string };

/** A key of KMS that signs with RS256: 2,048 bits. Its private half never leaves KMS. */
export class RsaSigningKey {
  readonly #kms: KMSClient;
  readonly #keyId: string;

  constructor(kms: KMSClient, keyId: string) {
    this.#kms = kms;
    this.#keyId = keyId;
  }

  /** @param digest SHA-256 of what is signed */
  async sign(digest: Uint8Array): Promise<Buffer> {
    const { Signature } = await this.#kms.send(
      new SignCommand({
        KeyId: this.#keyId,
        Message: digest,
        MessageType: 'DIGEST',
        SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
      }),
    );
    if (!Signature) throw new Error('KMS did not answer with a signature.');
    return Buffer.from(Signature);
  }

  /** @param kid its name among the published keys */
  async jwk(kid: string): Promise<RsaJwk> {
    const { PublicKey: spki } = await this.#kms.send(new GetPublicKeyCommand({ KeyId: this.#keyId }));
    if (!spki) throw new Error('KMS did not answer with the public key.');
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    const { kty, n = '', e = '' } = key.export({ format: 'jwk' });
    if (kty !== 'RSA') throw new Error('A key that signs signals must be an RSA key.');
    return { kty, n, e, use: 'sig', alg: 'RS256', kid };
  }
}
