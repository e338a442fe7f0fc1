import { secretsClient } from '../../core/aws/secrets-client.ts';
import { VapidKeyStore } from '../../core/devices/push/vapid-key-store.ts';
import { respond } from '../../core/lambda/custom-resource.ts';
import { createHandler } from './handler.ts';

const client = secretsClient();

export const handler = createHandler({
  storeOf: (secretArn) => new VapidKeyStore(client, secretArn),
  respond,
});
