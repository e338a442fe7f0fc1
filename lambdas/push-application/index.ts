import { readSecret, secretsClient } from '../../core/aws/secrets-client.ts';
import { snsClient } from '../../core/aws/sns-client.ts';
import { PlatformApplicationClient } from '../../core/devices/push/platform-application-client.ts';
import { createHandler } from './handler.ts';
import { respond } from '../../core/lambda/custom-resource.ts';

const secrets = secretsClient();

export const handler = createHandler({
  applications: new PlatformApplicationClient(snsClient()),
  readSecret: async (name) => await readSecret(secrets, name),
  respond,
});
