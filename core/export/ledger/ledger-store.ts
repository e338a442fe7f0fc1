import { BatchWriteCommand, paginateQuery, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { chunksOf } from '../../kernel/chunks.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { retention } from '../../kernel/retention.ts';
import { seconds } from '../../kernel/time.ts';
import { endOf } from './hour.ts';
import type { KeptHour } from './hour-count.ts';

const ledgerSum = v.object({ count: v.number(), digest: v.string() });
const kept = v.object({
  types: v.record(v.string(), ledgerSum),
  counted: v.array(v.string()),
  final: v.boolean(),
  begun: v.number(),
});

/** The most items of a BatchWriteItem, and how many of these calls are made at once. */
const batchOfItems = 25;
const callsAtOnce = 4;
/** DynamoDB allows 400 KB. An hour with types for more is counted each time. */
const largestTypes = 350_000;
/** At most, of a type beside its name: a count, a digest, their names, and what DynamoDB adds. */
const bytesOfSum = 110;

const bytesOf = ({ types }: KeptHour): number =>
  Object.keys(types).reduce((total, type) => total + Buffer.byteLength(type) + bytesOfSum, 0);

/** What has been counted of each hour. Everything in it can be counted again. */
export class LedgerStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** The kept hours from `first` to `last`, by their names. */
  async find(target: TargetRef, first: string, last: string): Promise<Map<string, KeptHour>> {
    const found = new Map<string, KeptHour>();
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :target AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':target': describeTarget(target), ':first': first, ':last': last },
    };
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, input))
      for (const item of Items) {
        const hour = String(item['sk']);
        found.set(hour, { hour, ...v.parse(kept, item) });
      }
    return found;
  }

  /** What DynamoDB does not take now is counted again by the next call. */
  async keep(target: TargetRef, hours: readonly KeptHour[]): Promise<void> {
    const puts = hours
      .filter((hour) => bytesOf(hour) <= largestTypes)
      .map(({ hour, ...rest }) => {
        const ttl = Math.ceil((endOf(hour) + retention.event) / seconds);
        return { PutRequest: { Item: { pk: describeTarget(target), sk: hour, ttl, ...rest } } };
      });
    await mapConcurrent(chunksOf(puts, batchOfItems), callsAtOnce, async (batch) => {
      await this.#client.send(new BatchWriteCommand({ RequestItems: { [this.#table]: batch } }));
    });
  }
}
