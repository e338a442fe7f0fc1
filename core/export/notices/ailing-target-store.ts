import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { updateIf } from '../../aws/conditional-writer.ts';
import { describeTarget, isTargetName, type TargetRef } from '../../events/target-ref.ts';
import { acknowledgement, type Acknowledgement } from './acknowledgement.ts';

/** Items of their own in the tenants table, so that the clock need not look through all targets. */
const partition = 'ailing-targets';

const item = v.object({
  tenantId: v.string(),
  category: v.custom<TargetRef['category']>(isTargetName),
  addedAt: v.number(),
  /** It goes with the entry. */
  acknowledged: v.optional(acknowledgement),
});

/** `addedAt` tells one entry from a later one of the same target. */
export type AilingTarget = v.InferOutput<typeof item>;

const keyOf = (ref: TargetRef) => ({ pk: partition, sk: describeTarget(ref) });

/** Targets that are not well, or of whose trouble somebody was told. */
export class AilingTargets {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async add({ tenantId, category }: TargetRef, now: number): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: keyOf({ tenantId, category }),
        UpdateExpression:
          'SET tenantId = :tenantId, category = :category, addedAt = :now REMOVE acknowledged',
        ExpressionAttributeValues: { ':tenantId': tenantId, ':category': category, ':now': now },
      }),
    );
  }

  /** @returns false if the target is not on the list */
  async acknowledge(ref: TargetRef, acknowledged: Acknowledgement): Promise<boolean> {
    const { applied } = await updateIf(this.#client, {
      table: this.#table,
      key: keyOf(ref),
      update: 'SET acknowledged = :acknowledged',
      condition: 'attribute_exists(pk)',
      names: {},
      values: { acknowledged },
    });
    return applied;
  }

  /** An entry that was added again meanwhile stays. */
  async remove({ addedAt, ...ref }: AilingTarget): Promise<void> {
    try {
      await this.#client.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: keyOf(ref),
          ConditionExpression: 'addedAt = :addedAt',
          ExpressionAttributeValues: { ':addedAt': addedAt },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  /** One page of the table at a time. */
  async *pages(): AsyncGenerator<AilingTarget[]> {
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
