import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Confirmation } from './confirmation.ts';
import type { Device, DeviceIdentity } from '../devices/device.ts';
import type { ConfirmationStore } from './confirmation-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { VersionedHistory } from '../devices/push-history-item.ts';
import { batchGet } from '../aws/batch-get.ts';
import type { Item } from '../aws/dynamodb-client.ts';

/** Everything that the call of a device needs. */
export type DeviceCallRecord = VersionedHistory & {
  device: Device | undefined;
  /** The devices of a suspended user, or tenant, have no challenges. */
  isSuspended: boolean;
  confirmation: Confirmation | undefined;
};

/** Reads a {@link DeviceCallRecord} from two tables in one round trip. */
export class DeviceCallStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #devices: DeviceStore;
  readonly #confirmations: ConfirmationStore;

  constructor(client: DynamoDBDocumentClient, devices: DeviceStore, confirmations: ConfirmationStore) {
    this.#client = client;
    this.#devices = devices;
    this.#confirmations = confirmations;
  }

  /** @throws {ConflictError} if a throttled table returned only a part */
  async load(
    identity: DeviceIdentity,
    challengeId: string | undefined,
    now: number,
  ): Promise<DeviceCallRecord> {
    const devices = this.#devices.batchGet(identity);
    const confirmations = challengeId === undefined ? undefined : this.#confirmations.batchGet(challengeId);
    const responses = await batchGet<Item>(
      async (RequestItems) => await this.#client.send(new BatchGetCommand({ RequestItems })),
      { ...devices.request, ...confirmations?.request },
    );
    const record = devices.parse(responses);
    const confirmation = record.isSuspended ? undefined : confirmations?.parse(responses, now);
    return { ...record, confirmation };
  }
}
