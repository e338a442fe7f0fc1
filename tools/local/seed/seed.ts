import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreatePlatformApplicationCommand, SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { type NativePlatform, nativePlatforms } from '../../../core/devices/device.ts';
import { createQueues, type QueueUrls } from '../resources/queues.ts';
import { type Aws, using } from './aws-access.ts';
import { seedTargets } from './targets.ts';
import { createTables, localTables } from '../resources/tables.ts';
import { createKmsKeys } from './kms-keys.ts';
import { recordKeys, type SigningKids } from './published-keys.ts';
import { type LocalClient, localClients, type LocalTenant, localTenants } from '../resources/tenants.ts';
import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  ResourceExistsException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { VapidKeyStore } from '../../../core/devices/push/vapid-key-store.ts';
import { newVapidKey, publicKeyOf } from '../../../core/devices/push/vapid-key.ts';

/** What Lambdas are told of the VAPID key. */
type WebPushKey = { secretId: string; publicKey: string };

const secretId = 'omi-local-web-push-key';

type Options = { region: string; endpoints: Record<'secretsmanager', string> };

/** Makes the VAPID key, unless the data folder has one. */
async function createWebPushKey({ region, endpoints }: Options): Promise<WebPushKey> {
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

export type SeedOptions = Aws & { endpoints: Record<'kms' | 'secretsmanager' | 'sns' | 'sqs', string> };

/** ARNs of the platform applications, URLs of the queues. */
export type Seeded = {
  applications: Record<NativePlatform, string>;
  queues: QueueUrls;
  webPushKey: WebPushKey;
  kids: SigningKids;
};

/**
 * Creates tables, tenants with their targets, queues, keys and push platforms. What exists already stays as it is.
 */
export async function seed({ region, endpoints }: SeedOptions): Promise<Seeded> {
  const credentials = { accessKeyId: 'SEED', secretAccessKey: 'local' };
  const dynamodb = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
  const sns = new SNSClient({ region, credentials, endpoint: endpoints.sns });
  const sqs = new SQSClient({ region, credentials, endpoint: endpoints.sqs });
  try {
    const client = DynamoDBDocumentClient.from(dynamodb);
    const [applications, queues, webPushKey] = await Promise.all([
      createApplications(sns),
      createQueues(sqs, region),
      createWebPushKey({ region, endpoints }),
      createKmsKeys({ region, endpoints }),
      createTables(dynamodb).then(async () => {
        await Promise.all([createTenants(client), seedTargets({ region, endpoints }, client)]);
      }),
    ]);
    const kids = await recordKeys({ region, endpoints }, client);
    return { applications, queues, webPushKey, kids };
  } finally {
    dynamodb.destroy();
    sns.destroy();
    sqs.destroy();
  }
}

async function createTenants(client: DynamoDBDocumentClient): Promise<void> {
  await Promise.all(
    [...localTenants.map(profileOf), ...localClients.map(clientItemOf)].map(async (item) => {
      await putNew(client, item);
    }),
  );
}

const profileOf = ({ tenantId, name, settings }: LocalTenant) => ({
  ...tenantKeys.profile(tenantId),
  tenantId,
  name,
  settings,
});

function clientItemOf({ clientId, tenantId, name = clientId, numberMatching }: LocalClient) {
  const tenant = localTenants.find((one) => one.tenantId === tenantId);
  return {
    ...tenantKeys.client(clientId),
    ...{ clientId, tenantId, tenantName: tenant?.name, name, settings: tenant?.settings },
    ...(numberMatching && { numberMatching }),
  };
}

/** Keeps changed settings of a data folder. */
async function putNew(client: DynamoDBDocumentClient, Item: Record<string, unknown>): Promise<void> {
  const put = new PutCommand({
    TableName: localTables.tenants,
    Item,
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  await client.send(put).catch((error: unknown) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  });
}

/** SNS's names of the platforms. */
const snsPlatforms = { fcm: 'GCM', apns: 'APNS', 'apns-sandbox': 'APNS_SANDBOX' } as const;

/** Creating an existing application returns its ARN. */
async function createApplications(client: SNSClient): Promise<Record<NativePlatform, string>> {
  const created = nativePlatforms.map(async (platform) => {
    const { PlatformApplicationArn: arn } = await client.send(
      new CreatePlatformApplicationCommand({
        Name: `omi-local-${platform}`,
        Platform: snsPlatforms[platform],
        Attributes: { PlatformCredential: 'local' },
      }),
    );
    return [platform, arn];
  });
  return Object.fromEntries(await Promise.all(created)) as Record<NativePlatform, string>;
}
