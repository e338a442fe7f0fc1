import {
  BatchWriteCommand,
  PutCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import { batchOfWrites, batchWrite } from '../../../aws/batch-write.ts';
import type { BatchWriteRequests } from '../../../aws/dynamodb-client.ts';
import { updateIf } from '../../../aws/conditional-writer.ts';
import { retention } from '../../../kernel/retention.ts';
import { seconds } from '../../../kernel/time.ts';

/** A signed signal, by the id in it. */
export type PolledSignal = { jti: string; token: string };

/** Who waits for signals, and until when in milliseconds since 1970. */
export type PollPlace = { holder: string; until: number };

/** In a partition of its own: it is no signal. */
const placeOf = (streamId: string) => ({ pk: `poll#${streamId}`, sk: 'place' });

/** Signals that wait to be polled: the table signals. An id begins with its time, so they are in order. */
export class PolledSignals {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** The same signal again replaces itself. */
  async put(streamId: string, { jti, token }: PolledSignal, now: number): Promise<void> {
    const ttl = Math.ceil((now + retention.signal) / seconds);
    const Item = { pk: streamId, sk: jti, token, ttl };
    await this.#client.send(new PutCommand({ TableName: this.#table, Item }));
  }

  /**
   * The oldest ones. DynamoDB may delete hours late, so what is past its time is left out.
   *
   * @returns also whether there are more
   */
  async oldest(
    streamId: string,
    most: number,
    now: number,
  ): Promise<{ signals: PolledSignal[]; more: boolean }> {
    const found: PolledSignal[] = [];
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :stream',
      FilterExpression: '#ttl > :now',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':stream': streamId, ':now': Math.floor(now / seconds) },
      ConsistentRead: true,
      Limit: most + 1,
    };
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, input)) {
      found.push(...Items.map(({ sk, token }) => ({ jti: String(sk), token: String(token) })));
      if (found.length > most) break;
    }
    return { signals: found.slice(0, most), more: found.length > most };
  }

  /** Unknown ones are left out. */
  async remove(streamId: string, jtis: readonly string[]): Promise<void> {
    const deletions = [...new Set(jtis)].map((sk) => ({ DeleteRequest: { Key: { pk: streamId, sk } } }));
    const send = async (RequestItems: BatchWriteRequests) =>
      await this.#client.send(new BatchWriteCommand({ RequestItems }));
    await batchWrite(send, this.#table, deletions);
  }

  /**
   * Takes the place of the one poll of the stream that may wait. It is free again at `until`, whatever becomes of its holder.
   *
   * @returns false if another poll waits
   */
  async takePlace(streamId: string, { holder, until }: PollPlace, now: number): Promise<boolean> {
    const { applied } = await updateIf(this.#client, {
      table: this.#table,
      key: placeOf(streamId),
      update: 'SET holder = :holder, #until = :until, #ttl = :ttl',
      condition: 'attribute_not_exists(pk) OR #until <= :now',
      names: { '#until': 'until', '#ttl': 'ttl' },
      values: { holder, until, now, ttl: Math.ceil(until / seconds) },
    });
    return applied;
  }

  /** Another poll may wait now. */
  async leavePlace(streamId: string, { holder }: PollPlace): Promise<void> {
    await updateIf(this.#client, {
      table: this.#table,
      key: placeOf(streamId),
      update: 'SET #until = :free',
      condition: 'holder = :holder',
      names: { '#until': 'until' },
      values: { holder, free: 0 },
    });
  }

  /** How many wait, at most so many. */
  async count(streamId: string, most: number, now: number): Promise<number> {
    return (await this.oldest(streamId, most, now)).signals.length;
  }

  /** Nobody will poll them. */
  async removeAll(streamId: string, now: number): Promise<void> {
    for (;;) {
      const { signals } = await this.oldest(streamId, 4 * batchOfWrites, now);
      if (signals.length === 0) return;
      await this.remove(
        streamId,
        signals.map(({ jti }) => jti),
      );
    }
  }
}
