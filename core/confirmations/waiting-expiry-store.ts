import { BatchWriteCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { batchOfWrites, batchWrite } from '../aws/batch-write.ts';
import type { Unsent } from '../aws/batch-queue.ts';
import type { BatchWriteRequests, BatchWrites, Item } from '../aws/dynamodb-client.ts';
import { chunksOf } from '../kernel/chunks.ts';
import { mapConcurrent } from '../kernel/map-concurrent.ts';
import { minutes } from '../kernel/time.ts';
import type { Expiry } from './expiry-queue.ts';

/** A partition of the table: the confirmations of one shard that expire in one quarter of an hour. */
export type Partition = { pk: string; endsAt: number };

export type WaitingExpiry = Expiry & { partition: Partition };

const quarter = 15 * minutes;

/** A partition takes 1,000 writes a second, and confirmations that were sent in one minute often expire in one minute. */
const shards = 8;

/** The partition that lists all others. */
const list = 'partitions';

/** Times of milliseconds have 13 digits until the year 2286, so keys sort as numbers. */
const keyOf = (partition: Partition, { challengeId, expiresAt }: Expiry) => ({
  pk: partition.pk,
  sk: `${expiresAt}#${challengeId}`,
});

/** The challenge id is a hash, so its first byte is evenly distributed. */
const shardOf = (challengeId: string): number => (Buffer.from(challengeId, 'base64url')[0] ?? 0) % shards;

function partitionOf({ challengeId, expiresAt }: Expiry): Partition {
  const startsAt = expiresAt - (expiresAt % quarter);
  return partitionNamed(`${startsAt}#${shardOf(challengeId)}`);
}

const partitionNamed = (pk: string): Partition => ({ pk, endsAt: Number(pk.split('#')[0]) + quarter });

const concurrency = 10;

/** Expiries that are too far away for a delay of SQS, by quarters of an hour. */
export class WaitingExpiryStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  /** Partitions that are in the list: the scheduled Lambda keeps them there as long as expiries may be added. */
  readonly #listed = new Set<string>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** @returns the expiries that DynamoDB did not accept, and the reasons */
  async add<Added extends Expiry>(expiries: readonly Added[]): Promise<Unsent<Added>> {
    if (expiries.length === 0) return { failed: [], reasons: [] };
    try {
      // First, so that no expiry is in a partition that nobody knows.
      await this.#list(expiries);
    } catch (error) {
      return { failed: [...expiries], reasons: [nameOf(error)] };
    }
    const added = await mapConcurrent(chunksOf(expiries, batchOfWrites), concurrency, async (batch) => {
      try {
        await this.#write(batch.map((expiry) => put(itemOf(expiry))));
        return { failed: [], reasons: [] };
      } catch (error) {
        return { failed: batch, reasons: [nameOf(error)] };
      }
    });
    return {
      failed: added.flatMap(({ failed }) => failed),
      reasons: [...new Set(added.flatMap(({ reasons }) => reasons))],
    };
  }

  async #list(expiries: readonly Expiry[]): Promise<void> {
    const all = new Set(expiries.map((expiry) => partitionOf(expiry).pk));
    const missing = [...all].filter((pk) => !this.#listed.has(pk));
    await this.#write(missing.map((pk) => put({ pk: list, sk: pk })));
    for (const pk of missing) this.#listed.add(pk);
  }

  /** The partitions that began before the time, the oldest first. */
  async partitionsUntil(time: number): Promise<Partition[]> {
    const partitions: Partition[] = [];
    for await (const page of this.#pages(list, time))
      partitions.push(...page.map(({ sk }) => partitionNamed(String(sk))));
    return partitions;
  }

  /** The expiries of a partition that are due by then, the oldest first, page by page. */
  async *dueBy(time: number, partition: Partition): AsyncGenerator<WaitingExpiry[]> {
    for await (const page of this.#pages(partition.pk, time)) {
      yield page.map(({ sk, tenantId }) => {
        const [expiresAt, challengeId = ''] = String(sk).split('#');
        return { tenantId: String(tenantId), challengeId, expiresAt: Number(expiresAt), partition };
      });
    }
  }

  async remove(expiries: readonly WaitingExpiry[]): Promise<void> {
    await mapConcurrent(chunksOf(expiries, batchOfWrites), concurrency, async (batch) => {
      await this.#write(batch.map((expiry) => ({ DeleteRequest: { Key: keyOf(expiry.partition, expiry) } })));
    });
  }

  async removePartition({ pk }: Partition): Promise<void> {
    await this.#write([{ DeleteRequest: { Key: { pk: list, sk: pk } } }]);
  }

  /** Items whose sort key begins with a time before this one. */
  async *#pages(pk: string, time: number): AsyncGenerator<Item[]> {
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND sk < :time',
      ExpressionAttributeValues: { ':pk': pk, ':time': String(time) },
      ConsistentRead: true,
      // A page is sent to the queue at once.
      Limit: 1_000,
    };
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, input)) yield Items;
  }

  async #write(writes: BatchWrites): Promise<void> {
    const send = async (RequestItems: BatchWriteRequests) =>
      await this.#client.send(new BatchWriteCommand({ RequestItems }));
    await batchWrite(send, this.#table, writes);
  }
}

const put = (Item: Item) => ({ PutRequest: { Item } });

const itemOf = (expiry: Expiry): Item => ({
  ...keyOf(partitionOf(expiry), expiry),
  tenantId: expiry.tenantId,
});

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
