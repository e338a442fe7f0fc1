import {
  paginateQuery,
  paginateScan,
  type DynamoDBDocumentClient,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { indexShards } from '../../core/adapters/event-items.ts';
import { tables } from '../../core/adapters/tables.ts';

/** What an item of the events table carries; one that only keeps an id taken carries no events. */
export type StoredGroup = {
  pk: string;
  sk: string;
  sequence: string;
  events: { type: string; event: string }[];
};

type Items = Partial<StoredGroup>[];

async function itemsOf(
  pages: AsyncIterable<{ Items?: Record<string, unknown>[] | undefined }>,
): Promise<Items> {
  const items: Items = [];
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

const query = async (client: DynamoDBDocumentClient, input: Partial<QueryCommandInput>) =>
  await itemsOf(paginateQuery({ client }, { TableName: 'events', ...input }));

const jsonOf = (groups: StoredGroup[]): string[] =>
  groups.flatMap(({ events }) => events.map(({ event }) => event));

/** The whole table in no order, with the items that only keep an id taken. */
export const allItems = async (client: DynamoDBDocumentClient): Promise<Items> =>
  await itemsOf(paginateScan({ client }, { TableName: 'events', ConsistentRead: true }));

export async function groupsOf(
  client: DynamoDBDocumentClient,
  partition: string,
  table = 'events',
): Promise<StoredGroup[]> {
  const items = await query(client, {
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partition },
    ConsistentRead: true,
  });
  const groups = items.filter((item) => item.events !== undefined) as StoredGroup[];
  return groups.toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1));
}

/** The events of a partition as they are stored, in the order of their acceptance. */
export const storedIn = async (
  client: DynamoDBDocumentClient,
  partition: string,
  table?: string,
): Promise<string[]> => jsonOf(await groupsOf(client, partition, table));

/** The events of a tenant's hour as a replay finds them: the index, shard by shard. */
export async function indexedIn(
  client: DynamoDBDocumentClient,
  { tenantId, category, hour }: { tenantId: string; category: string; hour: string },
): Promise<string[]> {
  const { name, partitionKey } = tables.events.index;
  const shards = Array.from({ length: indexShards }, async (_, shard) => {
    const items = await query(client, {
      IndexName: name,
      KeyConditionExpression: '#hour = :hour',
      ExpressionAttributeNames: { '#hour': partitionKey },
      ExpressionAttributeValues: { ':hour': `${tenantId}#${category}#${hour}#${shard}` },
    });
    return jsonOf(items as StoredGroup[]);
  });
  return (await Promise.all(shards)).flat();
}
