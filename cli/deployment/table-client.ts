import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../core/aws/dynamodb-client.ts';

type Key = Record<string, unknown>;

/** A page of a scan: the items that pass the filter, and how many items were read. */
export type ScannedPage = { items: Item[]; read: number };

/** Scans a table with consistent reads, page by page. */
export async function* scanPages(
  client: DynamoDBDocumentClient,
  request: Omit<ScanCommandInput, 'ConsistentRead'>,
): AsyncGenerator<ScannedPage> {
  for await (const { Items = [], ScannedCount = 0 } of paginateScan(
    { client },
    { ...request, ConsistentRead: true },
  ))
    yield { items: Items, read: ScannedCount };
}

/** All items of a table that pass the filter. For the tenants table, which has few items for each tenant. */
export async function scan(
  client: DynamoDBDocumentClient,
  table: string,
  filter: string,
  values: Item,
  names?: Record<string, string>,
): Promise<Item[]> {
  const request = {
    TableName: table,
    FilterExpression: filter,
    ExpressionAttributeValues: values,
    ...(names && { ExpressionAttributeNames: names }),
  };
  const segments = Array.from({ length: segmentCount }, (_, Segment) => Segment);
  const found = await Promise.all(
    segments.map(async (Segment) => {
      const its: Item[] = [];
      const segment = { ...request, Segment, TotalSegments: segmentCount };
      for await (const { items } of scanPages(client, segment)) its.push(...items);
      return its;
    }),
  );
  return found.flat();
}

/** Parts of a table that are read beside each other: a page has 1 MB, and takes a tenth of a second. */
const segmentCount = 8;

/** The keys of all items with a partition key. */
export async function keysOf(client: DynamoDBDocumentClient, table: string, pk: string): Promise<Key[]> {
  const request = {
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ProjectionExpression: 'pk, sk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  };
  const found: Key[] = [];
  for await (const { Items = [] } of paginateQuery({ client }, request)) found.push(...Items);
  return found;
}

/** Succeeds if there is no such item. */
export async function deleteItem(client: DynamoDBDocumentClient, table: string, key: Key): Promise<void> {
  await client.send(new DeleteCommand({ TableName: table, Key: key }));
}
