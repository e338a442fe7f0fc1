import {
  paginateQuery,
  paginateScan,
  type DynamoDBDocumentClient,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ArchiveReader } from '../../core/events/archive-reader.ts';
import { EventArchiveStore } from '../../core/events/event-archive-store.ts';
import { hours } from '../../core/kernel/time.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';

export type StoredEntry = { type: string; event: string };

/** An item of the events table: it carries one event or a list of them, or only keeps an id taken. */
export type StoredItem = {
  pk: string;
  sk: string;
  sequence?: string;
  events?: StoredEntry[];
} & Partial<StoredEntry>;

/** The events that an item carries. */
export const entriesIn = ({ type, event, events = [] }: Partial<StoredItem>): StoredEntry[] =>
  type === undefined || event === undefined ? events : [{ type, event }];

async function itemsOf(
  pages: AsyncIterable<{ Items?: Record<string, unknown>[] | undefined }>,
): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const page of pages) items.push(...((page.Items ?? []) as StoredItem[]));
  return items;
}

const query = async (client: DynamoDBDocumentClient, input: Partial<QueryCommandInput>) =>
  await itemsOf(paginateQuery({ client }, { TableName: 'events', ...input }));

/** The whole table in no order, with the items that only keep an id taken. */
export const allItems = async (client: DynamoDBDocumentClient, table = 'events'): Promise<StoredItem[]> =>
  await itemsOf(paginateScan({ client }, { TableName: table, ConsistentRead: true }));

/** The items of a partition that carry events, in the order of their acceptance. */
export async function carriersIn(
  client: DynamoDBDocumentClient,
  partition: string,
  table = 'events',
): Promise<StoredItem[]> {
  const items = await query(client, {
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partition },
    ConsistentRead: true,
  });
  return items
    .filter((item) => entriesIn(item).length > 0)
    .toSorted(({ sequence: a = '' }, { sequence: b = '' }) => (a < b ? -1 : 1));
}

const jsonOf = (items: StoredItem[]): string[] => items.flatMap(entriesIn).map(({ event }) => event);

/** The events of a partition as they are stored, in the order of their acceptance. */
export const storedIn = async (
  client: DynamoDBDocumentClient,
  partition: string,
  table?: string,
): Promise<string[]> => jsonOf(await carriersIn(client, partition, table));

/** The events of a tenant's hour as a replay finds them: the archive, shard by shard. */
export async function indexedIn(
  client: DynamoDBDocumentClient,
  { hour, ...ref }: TargetRef & { hour: string },
  portion?: number,
): Promise<string[]> {
  const from = Date.parse(`${hour}:00Z`);
  const archive = new EventArchiveStore(client, 'events');
  const reader = new ArchiveReader(archive, { ...ref, from, to: from + hours });
  const found: string[] = [];
  let isOver = false;
  while (!isOver) {
    const page = await reader.page(1_000_000, portion);
    found.push(...page.events.map(({ event }) => event));
    isOver = page.next === undefined;
  }
  return found;
}
