import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { secretHashOf } from '../../../../core/access/client-secret.ts';
import { RegisteredClientStore } from '../../../../core/access/registered-client-store.ts';
import { tenantKeys } from '../../../../core/tenants/tenant-keys.ts';
import { scopes } from '../../../../lambdas/routes.ts';
import { localTables } from '../../../../tools/local/resources/tables.ts';
import { bankClients, localClients } from '../../../../tools/local/resources/tenants.ts';
import { storeClientSecrets } from '../../../../tools/local/seed/client-secrets.ts';
import { testDatabase } from '../../../support/dynamodb.ts';

const secretsOf = (prefix: string): Record<string, string> =>
  Object.fromEntries(localClients.map(({ clientId }) => [clientId, `${prefix}${clientId}`]));

test("each start stores its clients' secrets and keeps existing registrations", async () => {
  const TableName = localTables.tenants;
  const database = await testDatabase({ tenants: TableName });
  const clients = new RegisteredClientStore(database, TableName);
  for (const { clientId, tenantId } of localClients) {
    const Item = { ...tenantKeys.client(clientId), clientId, tenantId, tenantName: 'Bank', settings: {} };
    await database.send(new PutCommand({ TableName, Item }));
  }
  const { clientId } = bankClients.usual;
  await storeClientSecrets(database, secretsOf('first '));
  await database.send(
    new UpdateCommand({
      TableName,
      Key: tenantKeys.clientOauth(clientId),
      UpdateExpression: 'SET notificationUrl = :url',
      ExpressionAttributeValues: { ':url': 'http://127.0.0.1:1/ciba' },
    }),
  );
  await storeClientSecrets(database, secretsOf('second '));

  for (const one of localClients)
    expect(await clients.find(one.clientId)).toMatchObject({
      tenantId: one.tenantId,
      scopes,
      secretHashes: [secretHashOf(`second ${one.clientId}`)],
    });
  expect(await clients.find(clientId)).toMatchObject({ notificationUrl: 'http://127.0.0.1:1/ciba' });
});
