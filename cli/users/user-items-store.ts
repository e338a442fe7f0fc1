import { DeleteCommand, type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { User } from '../../core/devices/device.ts';

/** What of an item names its user. */
export type TracedTable = { table: string; tenantId: string; userId: string };

export type Progress = {
  /** Comes before anything is deleted. */
  deleting: () => Promise<void>;
  /** Is told after each page how many items were looked at. */
  looked: (items: number) => void;
};

const placeholders = (path: string): string =>
  path
    .split('.')
    .map((name) => `#${name}`)
    .join('.');

const namesOf = (...paths: string[]): Record<string, string> =>
  Object.fromEntries(paths.flatMap((path) => path.split('.').map((name) => [`#${name}`, name])));

/**
 * Deletes a user's items from a table without an index by user: looks through all of it, which the few hours that such
 * items live keep small. Reads what was written last.
 *
 * @returns how many were deleted
 */
export async function deleteTraces(
  client: DynamoDBDocumentClient,
  { table, tenantId, userId }: TracedTable,
  user: User,
  { deleting, looked: tell }: Progress,
): Promise<number> {
  const request = {
    TableName: table,
    ConsistentRead: true,
    FilterExpression: `${placeholders(tenantId)} = :tenant AND ${placeholders(userId)} = :user`,
    ProjectionExpression: 'pk',
    ExpressionAttributeNames: namesOf(tenantId, userId),
    ExpressionAttributeValues: { ':tenant': user.tenantId, ':user': user.userId },
  };
  let looked = 0;
  let deleted = 0;
  for await (const { Items = [], ScannedCount = 0 } of paginateScan({ client }, request)) {
    if (Items.length > 0) await deleting();
    for (const { pk } of Items)
      await client.send(new DeleteCommand({ TableName: table, Key: { pk: pk as string } }));
    deleted += Items.length;
    looked += ScannedCount;
    tell(looked);
  }
  return deleted;
}
