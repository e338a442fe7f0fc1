import type { Confirmation } from './confirmation.ts';
import { historyKey } from '../devices/push-history-item.ts';
import type { Write } from '../aws/dynamodb-client.ts';

/** The confirmations that are open in push histories, for whoever changes one without reading the history. */
export class OpenConfirmations {
  readonly #table: string;

  constructor(devicesTable: string) {
    this.#table = devicesTable;
  }

  /**
   * The write that closes a confirmation in its user's history. Whoever read the history before must read it again. The
   * entry may be gone: it goes with the first write after its time is over.
   */
  close({ challengeId, deviceId, tenantId, userId }: Confirmation): Write {
    const entry = '#history.#open.#device';
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
          '#device': deviceId,
        },
        ExpressionAttributeValues: { ':one': 1, ':challenge': challengeId },
      },
    };
  }
}
