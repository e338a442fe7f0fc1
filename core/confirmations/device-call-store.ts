import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Confirmation } from './confirmation.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { Device, DeviceIdentity } from '../devices/device.ts';
import type { ConfirmationStore } from './confirmation-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { VersionedHistory } from '../devices/push-history-item.ts';
import type { Item } from '../aws/dynamodb-client.ts';

/** All that a device's call needs, read at once. */
export type DeviceCallRecord = VersionedHistory & {
  device: Device | undefined;
  /** Whether the tenant is: its devices have no challenges then. */
  isSuspended: boolean;
  confirmation: Confirmation | undefined;
};

/** Reads what a device's call needs from the devices and the confirmations table in one round trip. */
export class DeviceCallStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #devices: DeviceStore;
  readonly #confirmations: ConfirmationStore;

  constructor(client: DynamoDBDocumentClient, devices: DeviceStore, confirmations: ConfirmationStore) {
    this.#client = client;
    this.#devices = devices;
    this.#confirmations = confirmations;
  }

  /** @throws {@link ConflictError} when a table was too busy to answer in full */
  async load(
    identity: DeviceIdentity,
    challengeId: string | undefined,
    now: number,
  ): Promise<DeviceCallRecord> {
    const devices = this.#devices.batchGet(identity);
    const confirmations = challengeId === undefined ? undefined : this.#confirmations.batchGet(challengeId);
    const { Responses = {}, UnprocessedKeys = {} } = await this.#client.send(
      new BatchGetCommand({ RequestItems: { ...devices.request, ...confirmations?.request } }),
    );
    if (Object.keys(UnprocessedKeys).length > 0) throw new ConflictError('unprocessed keys');
    const responses: Record<string, Item[]> = Responses;
    return { ...devices.parse(responses), confirmation: confirmations?.parse(responses, now) };
  }
}
