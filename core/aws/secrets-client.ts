import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

export const secretsClient = (): SecretsManagerClient => new SecretsManagerClient();
