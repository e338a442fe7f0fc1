import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { secretsClient } from '../../aws/secrets-client.ts';

const secrets = secretsClient();

/** @throws {Error} if the secret holds bytes instead of text */
export async function readSecret(name: string): Promise<string> {
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: name }));
  if (SecretString === undefined) throw new Error(`The secret ${name} must hold text.`);
  return SecretString;
}
