import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

export const secretsClient = (): SecretsManagerClient => new SecretsManagerClient();

/**
 * For deployments and commands. Lambdas that push read theirs by the smaller `secret-reader-client.ts`.
 *
 * @returns undefined if there is no such secret, or it has no text
 */
export async function readSecret(
  client: SecretsManagerClient,
  secretId: string,
): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    // AWS has no empty values; other implementations of its API give one to a secret without a value.
    return SecretString === '' ? undefined : SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
