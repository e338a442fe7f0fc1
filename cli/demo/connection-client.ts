import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { readSecret } from '../../core/aws/secrets-client.ts';
import { type StoredConnection, storedConnection } from '../../pages/bank/lambda/connection.ts';

const stored = v.pipe(v.string(), v.parseJson(), storedConnection);

/** The secret from which the demo bank knows the service. */
export class ConnectionClient {
  readonly #client: SecretsManagerClient;
  readonly #secretId: string;

  constructor(client: SecretsManagerClient, secretId: string) {
    this.#client = client;
    this.#secretId = secretId;
  }

  /** @returns undefined if the secret has no value, or one of another version */
  async find(): Promise<StoredConnection | undefined> {
    const result = v.safeParse(stored, await readSecret(this.#client, this.#secretId));
    return result.success ? result.output : undefined;
  }

  async save(connection: StoredConnection): Promise<void> {
    const SecretString = JSON.stringify(connection);
    await this.#client.send(new PutSecretValueCommand({ SecretId: this.#secretId, SecretString }));
  }
}
