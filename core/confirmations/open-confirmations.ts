import type { Confirmation } from './confirmation.ts';
import { openKey } from '../devices/push-history.ts';
import { historyKey } from '../devices/push-history-item.ts';
import type { Write } from '../aws/dynamodb-client.ts';

/** The open confirmations in push histories, for a caller that has not read the history. */
export class OpenConfirmations {
  readonly #table: string;

  constructor(devicesTable: string) {
    this.#table = devicesTable;
  }

  /**
   * The write that closes a confirmation in its user's history. It raises the version, so concurrent writers of the
   * history read it again. The entry may be missing: the first write after the expiry removes it.
   */
  close({ challengeId, deviceId, slot, tenantId, userId }: Confirmation): Write {
    const entry = '#history.#open.#entry';
    return {
      Update: {
        TableName: this.#table,
        Key: historyKey({ tenantId, userId }),
        UpdateExpression: `SET #version = #version + :one REMOVE ${entry}`,
        ConditionExpression: `attribute_exists(pk) AND (attribute_not_exists(${entry}) OR ${entry}.challengeId = :challenge)`,
        ExpressionAttributeNames: {
          '#version': 'version',
          '#history': 'history',
          '#open': 'open',
          '#entry': openKey(deviceId, slot),
        },
        ExpressionAttributeValues: { ':one': 1, ':challenge': challengeId },
      },
    };
  }
}
