import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { secretHashOf } from '../../../core/access/client-secret.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { scopes } from '../../../lambdas/routes.ts';
import { localTables } from '../resources/tables.ts';
import { type LocalClient, localClients } from '../resources/tenants.ts';
import { accessAs, type Aws, using } from './aws-access.ts';

/** Stores what the OAuth endpoints know of the local clients' secrets, which a start may choose anew. */
export async function seedClientSecrets(aws: Aws, clientSecrets: Record<string, string>): Promise<void> {
  await using(new DynamoDBClient(accessAs('SEED', aws, 'dynamodb')), async (client) => {
    await storeClientSecrets(DynamoDBDocumentClient.from(client), clientSecrets);
  });
}

export async function storeClientSecrets(
  client: DynamoDBDocumentClient,
  clientSecrets: Record<string, string>,
): Promise<void> {
  await Promise.all(
    localClients.map(async (one) => {
      await storeSecret(client, one, clientSecrets[one.clientId] ?? '');
    }),
  );
}

/** An update keeps what an operator has registered for the client, for example its notification URL. */
async function storeSecret(
  client: DynamoDBDocumentClient,
  { clientId, tenantId }: LocalClient,
  clientSecret: string,
): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: localTables.tenants,
      Key: tenantKeys.clientOauth(clientId),
      UpdateExpression:
        'SET clientId = :client, tenantId = :tenant, scopes = :scopes, secrets = :secrets, createdAt = if_not_exists(createdAt, :now)',
      ExpressionAttributeValues: {
        ':client': clientId,
        ':tenant': tenantId,
        ':scopes': scopes,
        ':secrets': [{ id: 'local', hash: secretHashOf(clientSecret) }],
        ':now': Date.now(),
      },
    }),
  );
}
