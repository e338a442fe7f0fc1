import { DeleteCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../deployment/deployment.ts';

/** Deletes all items of the run's tenant. `omi tenant delete` keeps the profile instead, as a record of a real customer. */
export async function forgetTenant({ clients, tables }: Deployment, tenantId: string): Promise<void> {
  const { dynamodb } = clients;
  const request = {
    TableName: tables.tenants,
    KeyConditionExpression: 'pk = :tenant',
    ProjectionExpression: 'pk, sk',
    ExpressionAttributeValues: { ':tenant': `tenant#${tenantId}` },
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamodb }, request))
    for (const Key of Items) await dynamodb.send(new DeleteCommand({ TableName: tables.tenants, Key }));
}
