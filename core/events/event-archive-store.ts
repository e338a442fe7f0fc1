import { QueryCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describeTarget, type TargetRef } from './target-ref.ts';
import { hourKey, sequenceAt } from './event-keys.ts';
import { isUnreadable, readStreamRecord, type CommittedEvent } from './event-stream.ts';
import { tables } from '../aws/tables.ts';

/** Events of a target that were accepted from `from` on and before `to`, in milliseconds since 1970. */
export type ArchiveRange = TargetRef & { from: number; to: number; portion?: number | undefined };

/** Behind `after` in a shard of an hour. */
export type ArchivePosition = { hour: string; shard: number; after?: string | undefined };

export type ArchivePage = {
  /** In order of acceptance within each ordering key. */
  events: CommittedEvent[];
  /** Why items could not be read as events. */
  unreadable: string[];
  /** The sequence of the last item, if more of the shard follows. */
  last?: string;
};

/** Accepted events, by the events table's index of tenant, category, hour and shard. */
export class EventArchiveStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** As many events of a shard as DynamoDB returns at once, up to 1 MB. Items that reserve ids are not in the index. */
  async page(range: ArchiveRange, { hour, shard, after }: ArchivePosition): Promise<ArchivePage> {
    const { tenantId, category, from, to, portion } = range;
    const { name, partitionKey, sortKey } = tables.events.index;
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      // The plain command, not the document client's: items are read as the table's stream shows them.
      new QueryCommand({
        TableName: this.#table,
        IndexName: name,
        KeyConditionExpression: '#hour = :hour AND #sequence BETWEEN :first AND :end',
        ExpressionAttributeNames: { '#hour': partitionKey, '#sequence': sortKey },
        ExpressionAttributeValues: {
          ':hour': { S: hourKey({ tenantId, category, hour, shard }) },
          // Behind the last item that was read. A space sorts before all characters of a sequence.
          ':first': { S: after === undefined ? sequenceAt(from) : `${after} ` },
          ':end': { S: sequenceAt(to) },
        },
        Limit: portion,
      }),
    );
    const last = LastEvaluatedKey?.[sortKey]?.S;
    return { ...readItems(Items, range), ...(last !== undefined && { last }) };
  }
}

function readItems(items: Record<string, AttributeValue>[], target: TargetRef): Omit<ArchivePage, 'last'> {
  const page: Omit<ArchivePage, 'last'> = { events: [], unreadable: [] };
  for (const item of items) {
    const read = readItem(item, target);
    if (typeof read === 'string') page.unreadable.push(`${item['sequence']?.S ?? ''}: ${read}`);
    else page.events.push(...read);
  }
  return page;
}

/** An item's events, or why they are not the target's. The index has only a hash of the target; `pk` has the target. */
function readItem(item: Record<string, AttributeValue>, target: TargetRef): CommittedEvent[] | string {
  const read = readStreamRecord({ dynamodb: { NewImage: item } } as DynamoDBRecord);
  if (isUnreadable(read)) return read.reason;
  const isIts = read.every(({ ref }) => describeTarget(ref) === describeTarget(target));
  return isIts ? read : 'pk names another target';
}
