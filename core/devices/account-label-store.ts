import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { calling, ConditionsFailed, transact } from '../aws/dynamodb-client.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { DeviceStore } from './device-store.ts';
import type { User } from './device.ts';
import { emptyHistory } from './push-history.ts';
import { historyKey } from './push-history-item.ts';

/** The labels of users, for a caller that has not read the user's history. */
export class AccountLabelStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #devices: DeviceStore;

  constructor(client: DynamoDBDocumentClient, table: string, devices: DeviceStore) {
    this.#client = client;
    this.#table = table;
    this.#devices = devices;
  }

  /**
   * Replaces or removes the label. A user without a record gets one with the label, so that it counts at the first enrolment.
   *
   * @throws {Refusal} `unauthorized`; {@link ConflictError} when the caller must retry
   */
  async set(user: User, label: string | undefined): Promise<void> {
    if (await this.#update(user, label)) return;
    if (label !== undefined) await this.#create(user, label);
  }

  /**
   * It raises the version, so concurrent writers of the history read it again.
   *
   * @returns false if the user has no record
   */
  async #update(user: User, label: string | undefined): Promise<boolean> {
    const change = label === undefined ? 'REMOVE #history.accountLabel' : ', #history.accountLabel = :label';
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: historyKey(user),
      UpdateExpression: `SET #version = #version + :one ${change}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#version': 'version', '#history': 'history' },
      ExpressionAttributeValues: { ':one': 1, ':label': label },
    });
    try {
      await calling(async () => await this.#client.send(command));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** Deleting a tenant suspends it first and then removes its users, so no record may be added after that. */
  async #create(user: User, accountLabel: string): Promise<void> {
    const read = { history: emptyHistory, version: 0 };
    const record = { ...emptyHistory, accountLabel };
    try {
      await transact(this.#client, [
        this.#devices.requireNotSuspended(user),
        this.#devices.saveHistory(user, read, record),
      ]);
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
      if (error.refused.has(0)) throw new Refusal('unauthorized', 'The tenant is suspended.');
      throw new ConflictError('created meanwhile', { cause: error });
    }
  }
}
