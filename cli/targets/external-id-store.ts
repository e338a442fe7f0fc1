import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../core/kernel/identifiers.ts';

/** 192 random bits, of characters that need no quotes in a shell. */
export const newExternalId = (): string => randomBytes(24).toString('base64url');

const keyOf = (externalId: string) => ({ pk: `external-id#${sha256(externalId)}`, sk: 'external-id' });

/**
 * Whose each external id is. With one external id for two tenants, one could have the service write to the other's
 * stream: it would present the same id to both roles.
 */
export class ExternalIdStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Takes the id for the tenant, for good. It comes before the target that has it: should the command die in between, the
   * id is its tenant's and the same command goes on from here, while no target ever has an id that is not taken.
   *
   * @returns false where another tenant has it
   */
  async take(externalId: string, tenantId: string): Promise<boolean> {
    const put = new PutCommand({
      TableName: this.#table,
      Item: { ...keyOf(externalId), tenantId },
      ConditionExpression: 'attribute_not_exists(pk) OR tenantId = :tenant',
      ExpressionAttributeValues: { ':tenant': tenantId },
    });
    try {
      await this.#client.send(put);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** Releases the external id if it is the tenant's. */
  async release(externalId: string, tenantId: string): Promise<void> {
    const release = new DeleteCommand({
      TableName: this.#table,
      Key: keyOf(externalId),
      ConditionExpression: 'attribute_not_exists(pk) OR tenantId = :tenant',
      ExpressionAttributeValues: { ':tenant': tenantId },
    });
    try {
      await this.#client.send(release);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}
