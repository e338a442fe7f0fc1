import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { withStoreErrors, type Item, unmarshallItem } from '../aws/dynamodb-client.ts';
import type { CibaState } from '../confirmations/confirmation.ts';
import { seconds } from '../kernel/time.ts';

/** A request of this client, and the moment of its call. */
export type Poll = { challengeId: string; clientId: string; now: number };

/** A counted poll with its interval; or the current item, which is empty if there is none. */
export type Polled = { interval: number } | { item: Item };

/** How much too early a poll may come, because the clocks of two Lambdas differ. */
const toleranceMs = 0.5 * seconds;

/** What each poll that comes too soon adds to the interval (CIBA Core 1.0, section 11). */
export const slowDownBy = 5 * seconds;

/** What clients do with their authentication requests, in the confirmations table. */
export class BackchannelStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, confirmationsTable: string) {
    this.#client = client;
    this.#table = confirmationsTable;
  }

  /**
   * Counts a poll of a pending request. The usual poll is one write and no read.
   */
  async poll({ challengeId, clientId, now }: Poll): Promise<Polled> {
    return await this.#updateIf(challengeId, {
      UpdateExpression: 'SET ciba.polledAt = :now, ciba.nextPollAt = :now + ciba.#interval',
      // The last comparison recognises this very poll, if the answer of the first attempt was lost.
      ConditionExpression:
        'clientId = :client AND attribute_exists(ciba) AND #status = :pending AND expiresAt > :now AND ' +
        '(attribute_not_exists(ciba.nextPollAt) OR ciba.nextPollAt <= :due OR ciba.polledAt = :now)',
      ExpressionAttributeNames: { '#status': 'status', '#interval': 'interval' },
      ExpressionAttributeValues: {
        ':client': clientId,
        ':pending': 'pending',
        ':now': now,
        ':due': now + toleranceMs,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  }

  /**
   * Makes the interval longer after a poll that came too soon.
   *
   * It does nothing if the request was decided meanwhile.
   */
  async slowDown({ challengeId, now }: Poll): Promise<Polled> {
    return await this.#updateIf(challengeId, {
      UpdateExpression:
        'SET ciba.#interval = ciba.#interval + :more, ciba.nextPollAt = :then + ciba.#interval, ciba.polledAt = :now',
      ConditionExpression: '#status = :pending',
      ExpressionAttributeNames: { '#status': 'status', '#interval': 'interval' },
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ':more': slowDownBy,
        ':then': now + slowDownBy,
        ':now': now,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  }

  /**
   * Uses a confirmed request for its tokens.
   *
   * @param attempt identifies the call, which recognises its own write if the answer was lost
   * @returns false if another call used it, or it was erased meanwhile
   */
  async redeem({ challengeId, clientId, now }: Poll, attempt: string): Promise<boolean> {
    const redeemed = await this.#updateIf(challengeId, {
      UpdateExpression: 'SET ciba.redeemedAt = :now, ciba.redeemedBy = :attempt',
      ConditionExpression:
        'clientId = :client AND #status = :confirmed AND ' +
        '(attribute_not_exists(ciba.redeemedBy) OR ciba.redeemedBy = :attempt)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':client': clientId,
        ':confirmed': 'confirmed',
        ':now': now,
        ':attempt': attempt,
      },
    });
    return !('item' in redeemed);
  }

  /** The item only if the update asks for it. */
  async #updateIf(
    challengeId: string,
    update: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
  ): Promise<Polled> {
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: { pk: challengeId },
      ReturnValues: 'UPDATED_NEW',
      ...update,
    });
    try {
      const { Attributes } = await withStoreErrors(async () => await this.#client.send(command));
      return { interval: intervalOf(Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { item: error.Item ? unmarshallItem(error.Item) : {} };
    }
  }
}

/** The next poll is due an interval after this one. */
function intervalOf(updated: Item = {}): number {
  const { polledAt = 0, nextPollAt = 0 } = (updated['ciba'] ?? {}) as Partial<CibaState>;
  return nextPollAt - polledAt;
}
