import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../core/kernel/identifiers.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** 192 random bits, in characters that a shell needs no quotes for. */
export const newExternalId = (): string => randomBytes(24).toString('base64url');

const keyOf = (externalId: string) => ({ pk: `external-id#${sha256(externalId)}`, sk: 'external-id' });

/**
 * The tenant of each external id. If two tenants had the same external id, one of them could make the service write to the
 * other's stream: the service would present the same id to both roles.
 */
class ExternalIdStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Takes the id for the tenant, permanently. It is taken before its target is registered, so that no target ever has an id
   * that is not taken. After an interruption in between, the same command continues.
   *
   * @returns false if another tenant has the id
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

  /** Releases the external id if it belongs to the tenant. */
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

export const externalIdStoreOf = ({ clients, tables }: Deployment): ExternalIdStore =>
  new ExternalIdStore(clients.dynamodb, tables.tenants);
