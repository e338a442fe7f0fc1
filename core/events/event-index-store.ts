import { QueryCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tables } from '../aws/tables.ts';
import { type AcceptedBy, acceptedBy, sequenceAt, shardKey } from './event-keys.ts';
import type { TargetRef } from './target-ref.ts';

/** Events of a target that were accepted from `from` on and before `to`, in milliseconds since 1970. */
export type ArchiveRange = TargetRef & { from: number; to: number };

/** Behind `after` in a shard. */
export type ArchivePosition = { shard: number; after?: string | undefined };

/** An item of the index, as the protocol has it. */
export type IndexItem = Record<string, AttributeValue>;

export type IndexPage = {
  /** In order of acceptance. */
  items: IndexItem[];
  /** The sequence of the last item, if more of the shard follows. */
  last?: string;
};

type PageOptions = { limit?: number | undefined; attributes: readonly string[] };

/** The events table's index by tenant, category and shard. Items that reserve ids are not in it. */
export class EventIndexStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * As many items of a shard as DynamoDB returns at once: of service and platform each up to 1 MB, or `limit`. They have index
   * keys of their own, and come in one order.
   */
  async page(range: ArchiveRange, position: ArchivePosition, options: PageOptions): Promise<IndexPage> {
    const pages = await Promise.all(
      acceptedBy.map(async (by) => await this.#page(range, by, position, options)),
    );
    return merged(pages);
  }

  async #page(
    { tenantId, category, from, to }: ArchiveRange,
    by: AcceptedBy,
    { shard, after }: ArchivePosition,
    { limit, attributes }: PageOptions,
  ): Promise<IndexPage> {
    const { name, partitionKey, sortKey } = tables.events.index;
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      // The plain command, not the document client's: items are read as the table's stream shows them.
      new QueryCommand({
        TableName: this.#table,
        IndexName: name,
        KeyConditionExpression: '#shard = :shard AND #sequence BETWEEN :first AND :end',
        ProjectionExpression: attributes.map((attribute) => `#${attribute}`).join(', '),
        ExpressionAttributeNames: {
          '#shard': partitionKey,
          '#sequence': sortKey,
          ...Object.fromEntries(attributes.map((attribute) => [`#${attribute}`, attribute])),
        },
        ExpressionAttributeValues: {
          ':shard': { S: shardKey({ tenantId, category, by, shard }) },
          // Behind the last item that was read. A space sorts before all characters of a sequence.
          ':first': { S: after === undefined ? sequenceAt(from) : `${after} ` },
          ':end': { S: sequenceAt(to) },
        },
        Limit: limit,
      }),
    );
    const last = LastEvaluatedKey?.[sortKey]?.S;
    return { items: Items, ...(last !== undefined && { last }) };
  }
}

export const sequenceOf = (item: IndexItem | undefined): string =>
  item?.[tables.events.index.sortKey]?.S ?? '';

/** Behind the end of a page that others follow nothing is known, so the merged page ends where the first of them ends. */
function merged(pages: readonly IndexPage[]): IndexPage {
  const [last] = pages.flatMap((page) => page.last ?? []).sort();
  const items = pages
    .flatMap((page) => page.items)
    .filter((item) => last === undefined || sequenceOf(item) <= last)
    .sort((a, b) => (sequenceOf(a) < sequenceOf(b) ? -1 : 1));
  return { items, ...(last !== undefined && { last }) };
}

/** An event as the index has it. */
export type AcceptedEvent = { type: string; eventId: string };

/** The attributes that {@link acceptedIn} reads. */
export const acceptedAttributes = ['sk', 'sequence', 'type', 'ids'] as const;

/** The events of an item, each with its id as the producer wrote it. An item without a type was not written by the outbox. */
export function acceptedIn({ sk, type, ids }: IndexItem): AcceptedEvent[] {
  if (ids?.L) return ids.L.map(({ S = '' }) => readId(S));
  return type?.S !== undefined && sk?.S !== undefined ? [{ type: type.S, eventId: sk.S }] : [];
}

/** The ids of an item's events in lower case. An item of one event may have it as its sort key alone. */
export const idsIn = ({ sk, ids }: IndexItem): string[] =>
  (ids?.L?.map(({ S = '' }) => readId(S).eventId) ?? [sk?.S ?? '']).map((id) => id.toLowerCase());

/** A type has no spaces. */
function readId(text: string): AcceptedEvent {
  const space = text.indexOf(' ');
  return { type: text.slice(0, space), eventId: text.slice(space + 1) };
}
