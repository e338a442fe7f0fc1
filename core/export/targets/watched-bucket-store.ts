import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { categories, describeTarget, type TargetRef } from '../../events/target-ref.ts';

/** Items of their own in the tenants table, so that nobody has to look through all targets. */
const partition = 'watched-buckets';

const item = v.object({ tenantId: v.string(), category: v.picklist(categories) });

/** When all buckets were looked at for the last time. */
const lastLook = { pk: 'late-buckets', sk: 'last-look' };

const keyOf = (ref: TargetRef) => ({ pk: partition, sk: describeTarget(ref) });

/** Targets whose bucket is in trouble, or that gave up events. Mostly there are none. */
export class WatchedBuckets {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async add(ref: TargetRef): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: keyOf(ref),
        UpdateExpression: 'SET tenantId = :tenantId, category = :category',
        ExpressionAttributeValues: { ':tenantId': ref.tenantId, ':category': ref.category },
      }),
    );
  }

  async remove(ref: TargetRef): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: keyOf(ref) }));
  }

  /**
   * Notes that all buckets are looked at now. A call whose answer was lost is made once more, and finds its own time: otherwise
   * nobody would look.
   *
   * @returns false if they were looked at after that time
   */
  async beginLook(now: number, after: number): Promise<boolean> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: lastLook,
          UpdateExpression: 'SET lookedAt = :now',
          ConditionExpression: 'attribute_not_exists(lookedAt) OR lookedAt <= :after OR lookedAt = :now',
          ExpressionAttributeValues: { ':now': now, ':after': after },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** One page of the table at a time. */
  async *pages(): AsyncGenerator<TargetRef[]> {
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': partition },
      ConsistentRead: true,
    };
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, input))
      yield Items.map((found) => v.parse(item, found));
  }
}
