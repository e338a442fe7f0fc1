import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isTargetName, type TargetRef } from '../../events/target-ref.ts';
import { ConflictError } from '../../kernel/conflict-error.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';
import { tenantKeys } from '../../tenants/tenant-keys.ts';
import { phases, type TargetNotices } from './trouble.ts';

const targets = v.object({
  since: v.optional(v.number()),
  lastNoticeAt: v.optional(v.number()),
  sentAt: v.optional(v.array(v.number())),
  pending: v.optional(
    v.object({
      id: v.string(),
      phase: v.picklist(phases),
      claimedAt: v.number(),
      nextAt: v.optional(v.number()),
      tries: v.number(),
      fault: v.optional(v.string()),
    }),
  ),
});

const notices = v.object({
  version: v.number(),
  targets: v.record(v.custom<TargetRef['category']>(isTargetName), targets),
});

/** What a tenant was told of its targets, one item for each tenant. */
export type Notices = {
  version: number;
  targets: Partial<Record<TargetRef['category'], TargetNotices>>;
};

const none: Notices = { version: 0, targets: {} };

export class NoticeStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(tenantId: string): Promise<Notices> {
    const Key = tenantKeys.notices(tenantId);
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
    );
    return Item ? v.parse(notices, Item) : none;
  }

  /**
   * Reads, decides and writes, again from the read if somebody wrote meanwhile.
   *
   * @param decide returns what is to be written, or nothing to leave all as it is
   */
  async change<Result extends Omit<Notices, 'version'>>(
    tenantId: string,
    decide: (before: Notices) => Result | undefined,
  ): Promise<Result | undefined> {
    return await retryOnConflict(async () => {
      const before = await this.find(tenantId);
      const after = decide(before);
      if (after) await this.#put(tenantId, before, after);
      return after;
    });
  }

  async remove(tenantId: string): Promise<void> {
    const Key = tenantKeys.notices(tenantId);
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key }));
  }

  async #put(tenantId: string, { version }: Notices, after: Omit<Notices, 'version'>): Promise<void> {
    try {
      await this.#client.send(
        new PutCommand({
          TableName: this.#table,
          Item: { ...tenantKeys.notices(tenantId), version: version + 1, targets: after.targets },
          ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
          ExpressionAttributeValues: { ':version': version },
        }),
      );
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException)
        throw new ConflictError('another notice was decided meanwhile', { cause: error });
      throw error;
    }
  }
}
