import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, paginateQuery, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { hash } from 'node:crypto';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { minutes } from '../../kernel/time.ts';
import { endOf } from './minute.ts';
import { refIn } from './ref-text.ts';

/** A partition takes 1,000 writes a second, and all tenants may be busy in the same minute. */
export const busyShards = 8;
const partitions = Array.from({ length: busyShards }, (_, shard) => `busy#${shard}`);

const partitionOf = ({ tenantId }: TargetRef): string =>
  `busy#${hash('sha256', tenantId, 'buffer').readUInt8() % busyShards}`;

/** A minute in which events of a tenant and category were accepted. */
export type BusyMinute = { ref: TargetRef; minute: string };

/** With the time of its mark, in milliseconds since 1970. */
export type MarkedMinute = BusyMinute & { markedAt: number };

const keyOf = ({ ref, minute }: BusyMinute) => ({
  pk: partitionOf(ref),
  sk: `${minute}#${describeTarget(ref)}`,
});

const writesAtOnce = 25;

/**
 * A mark is kept until two minutes after its minute, and so is the memory of this Lambda, but shorter: after it, each batch of
 * the stream writes the mark again.
 */
const rememberedForMs = 1 * minutes;
const mostRemembered = 10_000;

/** Which minutes have events, so that a minute without events costs nothing. The exporter marks them. */
export class BusyMinuteStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #marked = new Set<string>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One write for each minute and target, however many events there are. */
  async mark(busy: readonly BusyMinute[], now: number): Promise<void> {
    const unknown = busy.filter((one) => !this.#isMarked(one, now));
    await mapConcurrent(unknown, writesAtOnce, async (one) => {
      const key = keyOf(one);
      await this.#client.send(new PutCommand({ TableName: this.#table, Item: { ...key, markedAt: now } }));
      if (this.#marked.size >= mostRemembered) this.#marked.clear();
      this.#marked.add(key.sk);
    });
  }

  #isMarked(one: BusyMinute, now: number): boolean {
    return now < endOf(one.minute) + rememberedForMs && this.#marked.has(keyOf(one).sk);
  }

  /** The minutes up to `last`, those of a tenant oldest first. */
  async upTo(last: string): Promise<MarkedMinute[]> {
    const found = await Promise.all(partitions.map(async (partition) => await this.#upTo(partition, last)));
    return found.flat();
  }

  async #upTo(partition: string, last: string): Promise<MarkedMinute[]> {
    const found: MarkedMinute[] = [];
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :busy AND sk <= :end',
      // Behind the separator that follows the last minute.
      ExpressionAttributeValues: { ':busy': partition, ':end': `${last}$` },
      ConsistentRead: true,
    };
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, input))
      for (const { sk, markedAt } of Items) {
        const [minute = '', ...rest] = String(sk).split('#');
        const ref = refIn(rest);
        if (ref) found.push({ ref, minute, markedAt: Number(markedAt) });
      }
    return found;
  }

  /** Unless it was marked again. */
  async remove(one: MarkedMinute): Promise<void> {
    try {
      await this.#client.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: keyOf(one),
          ConditionExpression: 'markedAt = :markedAt',
          ExpressionAttributeValues: { ':markedAt': one.markedAt },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}
