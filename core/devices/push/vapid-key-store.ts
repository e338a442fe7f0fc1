import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readSecret } from '../../aws/secrets-client.ts';
import { parseVapidKey, type VapidKey } from './vapid-key.ts';

/** A VAPID key in a secret of Secrets Manager. */
export class VapidKeyStore {
  readonly #client: SecretsManagerClient;
  readonly #secretId: string;

  constructor(client: SecretsManagerClient, secretId: string) {
    this.#client = client;
    this.#secretId = secretId;
  }

  /**
   * @returns undefined if the secret has no value yet
   * @throws {Error} if the value is not a key; the message does not quote it
   */
  async find(): Promise<VapidKey | undefined> {
    const text = await readSecret(this.#client, this.#secretId);
    return text === undefined ? undefined : parseVapidKey(text);
  }

  /** @param requestId a UUID: a repeated request with another key is refused */
  async create(key: VapidKey, requestId: string): Promise<void> {
    await this.#client.send(
      new PutSecretValueCommand({
        SecretId: this.#secretId,
        SecretString: JSON.stringify(key),
        ClientRequestToken: requestId,
      }),
    );
  }
}
