import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { User } from '../devices/device.ts';
import { openKeys, type Confirmation } from './confirmation.ts';
import { openChallengeIds, type Withdrawal } from '../devices/push-history.ts';
import { historyKey, parseHistory } from '../devices/push-history-item.ts';
import type { Write } from '../aws/dynamodb-client.ts';

/** The open confirmations in push histories, for a caller that does not write the whole history. */
export class OpenConfirmations {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, devicesTable: string) {
    this.#client = client;
    this.#table = devicesTable;
  }

  /** The challenge ids of a user's open confirmations, on all devices. One read. */
  async list(user: User, now: number): Promise<string[]> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: historyKey(user), ConsistentRead: true }),
    );
    return openChallengeIds(parseHistory(Item).history, now);
  }

  /**
   * The write that records in its user's history that a confirmation was withdrawn, and closes it there. It raises the
   * version, so concurrent writers of the history read it again. An entry may be missing: the first write after the expiry
   * removes it, and so does the removal of its device.
   *
   * @param isListed false if an entry is known to be another confirmation's by now
   */
  withdraw(confirmation: Confirmation, now: number, isListed = true): Write {
    const { challengeId, tenantId, userId, createdAt } = confirmation;
    const keys = isListed ? openKeys(confirmation) : [];
    const entries = keys.map((_, index) => `#history.#open.#entry${index}`);
    const withdrawal: Withdrawal = { sentAt: createdAt, at: now };
    const withdrawn = '#history.#withdrawn';
    const set = `SET #version = #version + :one, ${withdrawn} = list_append(if_not_exists(${withdrawn}, :none), :withdrawals)`;
    const areOwn = entries.map(
      (entry) => `(attribute_not_exists(${entry}) OR ${entry}.challengeId = :challenge)`,
    );
    return {
      Update: {
        TableName: this.#table,
        Key: historyKey({ tenantId, userId }),
        UpdateExpression: isListed ? `${set} REMOVE ${entries.join(', ')}` : set,
        ConditionExpression: ['attribute_exists(pk)', ...areOwn].join(' AND '),
        ExpressionAttributeNames: {
          '#version': 'version',
          '#history': 'history',
          '#withdrawn': 'withdrawn',
          ...(isListed && { '#open': 'open' }),
          ...Object.fromEntries(keys.map((key, index) => [`#entry${index}`, key])),
        },
        ExpressionAttributeValues: {
          ':one': 1,
          ':none': [],
          ':withdrawals': [withdrawal],
          ...(isListed && { ':challenge': challengeId }),
        },
      },
    };
  }
}
