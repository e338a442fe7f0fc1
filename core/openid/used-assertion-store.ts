import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { sha256 } from '../kernel/identifiers.ts';
import type { VerifiedAssertion } from './client-assertion.ts';

export const usedAssertionKey = ({ clientId, jti }: Pick<VerifiedAssertion, 'clientId' | 'jti'>) => ({
  pk: `jti#${sha256(`${clientId}\n${jti}`)}`,
});

/**
 * The assertions that were used, in the confirmations table, whose items DynamoDB deletes when they expire. An assertion is
 * refused by its own `exp` from the moment on at which its item may be deleted.
 */
export class UsedAssertionStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, confirmationsTable: string) {
    this.#client = client;
    this.#table = confirmationsTable;
  }

  /**
   * @param attempt identifies the request, which recognises its own write if the answer was lost
   * @returns false if another request used it before
   */
  async use({ clientId, jti, expiresAt }: VerifiedAssertion, attempt: string): Promise<boolean> {
    try {
      await this.#client.send(
        new PutCommand({
          TableName: this.#table,
          Item: {
            ...usedAssertionKey({ clientId, jti }),
            usedBy: attempt,
            ttl: Math.ceil(expiresAt / 1000) + 1,
          },
          ConditionExpression: 'attribute_not_exists(pk) OR usedBy = :attempt',
          ExpressionAttributeValues: { ':attempt': attempt },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
