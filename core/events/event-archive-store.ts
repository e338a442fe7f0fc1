import { BatchGetItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import {
  EventIndexStore,
  type ArchivePosition,
  type ArchiveRange,
  type IndexItem,
  type IndexPage,
} from './event-index-store.ts';
import { isUnreadable, readStreamRecord, type CommittedEvent } from './event-stream.ts';
import { describeTarget, type TargetRef } from './target-ref.ts';
import { batchGet } from '../aws/batch-get.ts';
import { chunksOf } from '../kernel/chunks.ts';

export type StoredEvents = {
  /** In order of acceptance within each ordering key. */
  events: CommittedEvent[];
  /** Why items could not be read as events. */
  unreadable: string[];
};

/** The most keys of a page. */
const pageOfKeys = 1_000;
/** The most keys of a BatchGetItem. */
export const batchOfKeys = 100;

type Key = { pk: AttributeValue; sk: AttributeValue };

/** The key alone does not name an acceptance: an id that has expired may be accepted again. */
const nameOf = ({ pk, sk, sequence }: IndexItem): string =>
  `${sequence?.S ?? ''} ${sk?.S ?? ''} ${pk?.S ?? ''}`;

/** Accepted events. The index has their keys, and the table has their content. */
export class EventArchiveStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #index: EventIndexStore;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#index = new EventIndexStore(client, table);
  }

  /** The keys of a shard's items, in order of acceptance. */
  async keys(range: ArchiveRange, position: ArchivePosition): Promise<IndexPage> {
    return await this.#index.page(range, position, { limit: pageOfKeys, attributes });
  }

  /** The events of these keys, in their order. An item that has expired meanwhile is left out. */
  async read(keys: readonly IndexItem[], target: TargetRef): Promise<StoredEvents> {
    const stored: StoredEvents = { events: [], unreadable: [] };
    for (const item of await this.#contentOf(keys)) {
      const read = readItem(item, target);
      if (typeof read === 'string') stored.unreadable.push(`${item['sequence']?.S ?? ''}: ${read}`);
      else stored.events.push(...read);
    }
    return stored;
  }

  /**
   * Most items are in every replica when they are read, and such a read costs half. The index may be ahead of a replica, so
   * the others are read consistently.
   */
  async #contentOf(keys: readonly IndexItem[]): Promise<IndexItem[]> {
    const found = new Map<string, IndexItem>();
    const missing = (): IndexItem[] => keys.filter((key) => !found.has(nameOf(key)));
    for (const isConsistent of [false, true])
      await Promise.all(
        chunksOf(missing(), batchOfKeys).map(async (some) => {
          for (const item of await this.#get(some, isConsistent)) found.set(nameOf(item), item);
        }),
      );
    return keys.map((key) => found.get(nameOf(key))).filter((item) => item !== undefined);
  }

  async #get(items: readonly IndexItem[], isConsistent: boolean): Promise<IndexItem[]> {
    const Keys = items.map(({ pk, sk }) => ({ pk, sk }) as Key);
    const answer = await batchGet(
      async (RequestItems) => await this.#client.send(new BatchGetItemCommand({ RequestItems })),
      { [this.#table]: { Keys, ConsistentRead: isConsistent } },
    );
    return answer.get(this.#table) ?? [];
  }
}

export const bytesOf = (events: readonly CommittedEvent[]): number =>
  events.reduce((total, { event }) => total + Buffer.byteLength(event), 0);

const attributes = ['pk', 'sk', 'sequence', 'ids'];

/** An item's events, or why they are not the target's. The index has only a hash of the target; `pk` has the target. */
function readItem(item: IndexItem, target: TargetRef): CommittedEvent[] | string {
  const read = readStreamRecord({ dynamodb: { NewImage: item } } as DynamoDBRecord);
  if (isUnreadable(read)) return read.reason;
  const isIts = read.every(({ ref }) => describeTarget(ref) === describeTarget(target));
  return isIts ? read : 'pk names another target';
}
