import { BatchGetItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import {
  EventIndexStore,
  type ArchivePosition,
  type ArchiveRange,
  type IndexItem,
} from './event-index-store.ts';
import { isUnreadable, readStreamRecord, type CommittedEvent } from './event-stream.ts';
import { describeTarget, type TargetRef } from './target-ref.ts';
import { chunksOf } from '../kernel/chunks.ts';

export type ArchivePage = {
  /** In order of acceptance within each ordering key. */
  events: CommittedEvent[];
  /** Why items could not be read as events. */
  unreadable: string[];
  /** The sequence of the last item, if more of the shard follows. */
  last?: string;
};

/** Limits of a page: items, and about the bytes of their events. */
const mostItems = 1_000;
const enoughBytes = 1_000_000;
/** The most keys of a BatchGetItem. */
const batchOfKeys = 100;

type Key = { pk: AttributeValue; sk: AttributeValue };

const nameOf = ({ pk, sk }: IndexItem): string => `${sk?.S ?? ''} ${pk?.S ?? ''}`;

/** Accepted events. The index tells their keys, and the table has their content. */
export class EventArchiveStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #index: EventIndexStore;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#index = new EventIndexStore(client, table);
  }

  /** About 1 MB of a shard's events, from at most `portion` items. */
  async page(
    { portion = Infinity, ...range }: ArchiveRange & { portion?: number | undefined },
    position: ArchivePosition,
  ): Promise<ArchivePage> {
    const limit = Math.min(portion, mostItems);
    const { items, last } = await this.#index.page(range, position, { limit, attributes });
    const page: ArchivePage = { events: [], unreadable: [], ...(last !== undefined && { last }) };
    let [bytes, read] = [0, 0];
    while (read < items.length && bytes < enoughBytes) {
      const some = items.slice(read, read + nextCount(read, bytes));
      for (const item of await this.#contentOf(some)) bytes += add(page, item, range);
      read += some.length;
    }
    const end = items[read - 1]?.['sequence']?.S;
    return read < items.length && end !== undefined ? { ...page, last: end } : page;
  }

  /** The table's items for those of the index, in their order. An item that has expired meanwhile is left out. */
  async #contentOf(items: readonly IndexItem[]): Promise<IndexItem[]> {
    const found = await Promise.all(chunksOf(items, batchOfKeys).map(async (some) => await this.#get(some)));
    const byName = new Map(found.flat().map((item) => [nameOf(item), item]));
    return items.map((item) => byName.get(nameOf(item))).filter((item) => item !== undefined);
  }

  /** The index may show an item that a read of another replica would not find. So these reads are consistent. */
  async #get(items: readonly IndexItem[]): Promise<IndexItem[]> {
    const found: IndexItem[] = [];
    let keys = items.map(({ pk, sk }) => ({ pk, sk }) as Key);
    // A response ends at 16 MB.
    while (keys.length > 0) {
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetItemCommand({ RequestItems: { [this.#table]: { Keys: keys, ConsistentRead: true } } }),
      );
      found.push(...(Responses?.[this.#table] ?? []));
      keys = (UnprocessedKeys?.[this.#table]?.Keys ?? []) as Key[];
    }
    return found;
  }
}

/** Items to read after `read` of them had so many bytes. The first ones show how large the others may be. */
const nextCount = (read: number, bytes: number): number =>
  read === 0 ? batchOfKeys : Math.ceil((read * (enoughBytes - bytes)) / Math.max(1, bytes));

const attributes = ['pk', 'sk', 'sequence'];

/** @returns bytes of the item's events */
function add(page: ArchivePage, item: IndexItem, target: TargetRef): number {
  const read = readItem(item, target);
  if (typeof read === 'string') {
    page.unreadable.push(`${item['sequence']?.S ?? ''}: ${read}`);
    return 0;
  }
  page.events.push(...read);
  return read.reduce((total, { event }) => total + Buffer.byteLength(event), 0);
}

/** An item's events, or why they are not the target's. The index has only a hash of the target; `pk` has the target. */
function readItem(item: IndexItem, target: TargetRef): CommittedEvent[] | string {
  const read = readStreamRecord({ dynamodb: { NewImage: item } } as DynamoDBRecord);
  if (isUnreadable(read)) return read.reason;
  const isIts = read.every(({ ref }) => describeTarget(ref) === describeTarget(target));
  return isIts ? read : 'pk names another target';
}
