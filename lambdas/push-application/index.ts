import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { PlatformApplications } from '../../core/devices/push/platform-application-client.ts';
import { createHandler } from './handler.ts';
import { respond } from './respond.ts';

const secrets = new SecretsManagerClient();

async function readSecret(name: string): Promise<string> {
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: name }));
  if (SecretString === undefined) throw new Error(`The secret ${name} must hold text.`);
  return SecretString;
}

export const handler = createHandler({
  applications: new PlatformApplications(new SNSClient()),
  readSecret,
  respond,
});
