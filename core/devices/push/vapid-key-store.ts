import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
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
    const text = await this.#read();
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

  async #read(): Promise<string | undefined> {
    try {
      const { SecretString } = await this.#client.send(
        new GetSecretValueCommand({ SecretId: this.#secretId }),
      );
      // AWS has no empty values; other implementations of its API give one to a secret without a value.
      return SecretString === '' ? undefined : SecretString;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }
}
