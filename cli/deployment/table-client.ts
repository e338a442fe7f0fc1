import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../core/aws/dynamodb-client.ts';

/** All items of a table that pass the filter. For the tenants table, which has some items for each tenant. */
export async function scan(
  client: DynamoDBDocumentClient,
  table: string,
  filter: string,
  values: Item,
): Promise<Item[]> {
  const request = {
    TableName: table,
    FilterExpression: filter,
    ExpressionAttributeValues: values,
    ConsistentRead: true,
  };
  const found: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, request)) found.push(...Items);
  return found;
}
