import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { scanPages } from '../deployment/table-client.ts';
import type { Item } from '../../core/aws/dynamodb-client.ts';

/** Who used what a restored table shows as not used yet: nobody who could use it again. */
const restore = 'restore';

/** What restored tables show as not ended or not used, although that may have happened since. */
export class OpenWork {
  readonly #client: DynamoDBDocumentClient;

  constructor(client: DynamoDBDocumentClient) {
    this.#client = client;
  }

  /** Items of confirmations that are pending or confirmed, page by page. */
  async *confirmations(table: string): AsyncGenerator<Item[]> {
    const pages = scanPages(this.#client, {
      TableName: table,
      FilterExpression: '#status IN (:pending, :confirmed)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':pending': 'pending', ':confirmed': 'confirmed' },
    });
    for await (const { items } of pages) yield items;
  }

  /** The tokens of a confirmed request by CIBA may have been fetched. */
  async markRedeemed(table: string, pk: unknown, now: number): Promise<boolean> {
    return await this.#updateIf({
      TableName: table,
      Key: { pk },
      UpdateExpression: 'SET ciba.redeemedAt = :now, ciba.redeemedBy = :restore',
      ConditionExpression: 'attribute_exists(ciba) AND attribute_not_exists(ciba.redeemedBy)',
      ExpressionAttributeValues: { ':now': now, ':restore': restore },
    });
  }

  /** A confirmation may have authorized the change of a device. */
  async markUsed(table: string, pk: unknown): Promise<boolean> {
    return await this.#updateIf({
      TableName: table,
      Key: { pk },
      UpdateExpression: 'SET usedFor = :restore',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(usedFor)',
      ExpressionAttributeValues: { ':restore': restore },
    });
  }

  /** A code may have enrolled a device. @returns how many codes were ended */
  async endCodes(table: string, now: number): Promise<number> {
    const pages = scanPages(this.#client, {
      TableName: table,
      FilterExpression: 'enrolment.expiresAt > :now AND attribute_not_exists(enrolment.completed)',
      ExpressionAttributeValues: { ':now': now },
    });
    let ended = 0;
    for await (const { items } of pages)
      for (const { pk } of items) if (await this.#endCode(table, pk, now)) ended += 1;
    return ended;
  }

  async #endCode(table: string, pk: unknown, now: number): Promise<boolean> {
    return await this.#updateIf({
      TableName: table,
      Key: { pk },
      UpdateExpression: 'SET enrolment.expiresAt = :now',
      ConditionExpression: 'enrolment.expiresAt > :now AND attribute_not_exists(enrolment.completed)',
      ExpressionAttributeValues: { ':now': now },
    });
  }

  async #updateIf(update: UpdateCommandInput): Promise<boolean> {
    try {
      await this.#client.send(new UpdateCommand(update));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
