import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { withStoreErrors, ConditionsFailed, transact } from '../aws/dynamodb-client.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { DeviceStore } from './device-store.ts';
import type { User } from './device.ts';
import { emptyHistory, type PushHistory } from './push-history.ts';
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
   * Replaces or removes the label. A user without a record gets one, so that it counts at the first enrolment: a code that was
   * made before has perhaps another label.
   *
   * @throws {Refusal} `unauthorized`; {@link ConflictError} when the caller must retry
   */
  async set(user: User, label: string | undefined, now: number): Promise<void> {
    if (await this.#update(user, label, now)) return;
    await this.#create(user, { ...(label !== undefined && { accountLabel: label }), accountLabelAt: now });
  }

  /**
   * It raises the version, so concurrent writers of the history read it again.
   *
   * @returns false if the user has no record
   */
  async #update(user: User, label: string | undefined, now: number): Promise<boolean> {
    const change = label === undefined ? 'REMOVE #history.accountLabel' : ', #history.accountLabel = :label';
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: historyKey(user),
      UpdateExpression: `SET #version = #version + :one, #history.accountLabelAt = :now ${change}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#version': 'version', '#history': 'history' },
      ExpressionAttributeValues: { ':one': 1, ':label': label, ':now': now },
    });
    try {
      await withStoreErrors(async () => await this.#client.send(command));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** Deleting a tenant suspends it first and then removes its users, so no record may be added after that. */
  async #create(user: User, label: Pick<PushHistory, 'accountLabel' | 'accountLabelAt'>): Promise<void> {
    const read = { history: emptyHistory, version: 0 };
    const record = { ...emptyHistory, ...label };
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
