import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  ResourceExistsException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { VapidKeyStore } from '../../../core/devices/push/vapid-key-store.ts';
import { newVapidKey, publicKeyOf } from '../../../core/devices/push/vapid-key.ts';
import { using } from './aws-access.ts';

/** What Lambdas are told of the VAPID key. */
export type WebPushKey = { secretId: string; publicKey: string };

const secretId = 'omi-local-web-push-key';

type Options = { region: string; endpoints: Record<'secretsmanager', string> };

/** Makes the VAPID key, unless the data folder has one. */
export async function createWebPushKey({ region, endpoints }: Options): Promise<WebPushKey> {
  const credentials = { accessKeyId: 'SEED', secretAccessKey: 'local' };
  const created = new SecretsManagerClient({ region, credentials, endpoint: endpoints.secretsmanager });
  return await using(created, async (client) => {
    await client.send(new CreateSecretCommand({ Name: secretId })).catch((error: unknown) => {
      if (!(error instanceof ResourceExistsException)) throw error;
    });
    const store = new VapidKeyStore(client, secretId);
    const existing = await store.find();
    const key = existing ?? newVapidKey();
    if (!existing) await store.create(key, randomUUID());
    return { secretId, publicKey: publicKeyOf(key) };
  });
}
