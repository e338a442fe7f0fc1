import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { User } from '../devices/device.ts';
import type { Confirmation } from './confirmation.ts';
import { openKey, type Withdrawal } from '../devices/push-history.ts';
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
    const { open } = parseHistory(Item).history;
    return Object.values(open).flatMap(({ challengeId, expiresAt }) =>
      expiresAt > now ? [challengeId] : [],
    );
  }

  /**
   * The write that records in its user's history that a confirmation was withdrawn, and closes it there. It raises the
   * version, so concurrent writers of the history read it again. The entry may be missing: the first write after the expiry
   * removes it.
   *
   * @param isListed false if the entry is known to be another confirmation's by now
   */
  withdraw(confirmation: Confirmation, now: number, isListed = true): Write {
    const { challengeId, deviceId, slot, tenantId, userId, createdAt } = confirmation;
    const withdrawal: Withdrawal = { sentAt: createdAt, at: now };
    const [entry, withdrawn] = ['#history.#open.#entry', '#history.#withdrawn'];
    const set = `SET #version = #version + :one, ${withdrawn} = list_append(if_not_exists(${withdrawn}, :none), :withdrawals)`;
    const isOwnEntry = `(attribute_not_exists(${entry}) OR ${entry}.challengeId = :challenge)`;
    return {
      Update: {
        TableName: this.#table,
        Key: historyKey({ tenantId, userId }),
        UpdateExpression: isListed ? `${set} REMOVE ${entry}` : set,
        ConditionExpression: `attribute_exists(pk)${isListed ? ` AND ${isOwnEntry}` : ''}`,
        ExpressionAttributeNames: {
          '#version': 'version',
          '#history': 'history',
          '#withdrawn': 'withdrawn',
          ...(isListed && { '#open': 'open', '#entry': openKey(deviceId, slot) }),
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
