import type { ConfirmationStore } from '../adapters/confirmation-store.ts';
import type { DeviceStore, VersionedHistory } from '../adapters/device-store.ts';
import { ConditionsFailed, type Write } from '../adapters/dynamodb.ts';
import type { Ledger } from '../adapters/ledger.ts';
import type { PushGateway } from '../adapters/push-gateway.ts';
import { Contended } from '../domain/contended.ts';
import type { Device } from '../domain/device.ts';
import type { Call, StateChange } from '../domain/event.ts';
import { recordEnd, settle } from '../domain/push-history.ts';
import { deviceDeregistered, ended } from '../domain/state-changes.ts';
import { releaseEndpoint } from './release-endpoint.ts';

export type RemoveDeps = {
  devices: DeviceStore;
  confirmations: ConfirmationStore;
  ledger: Ledger;
  gateway: PushGateway;
};

export type Removal = VersionedHistory & {
  device: Device;
  /** The client that removes it; absent when the device itself does. */
  clientId?: string;
  call: Call;
};

type Cancellation = { writes: Write[]; changes: StateChange[] };

/** A confirmation open on the device can no longer be answered: it is cancelled with the removal. */
async function cancelOpen(
  { confirmations }: RemoveDeps,
  { device, history, call }: Removal,
): Promise<Cancellation> {
  const open = settle(history, call.now).open[device.deviceId];
  const confirmation = open && (await confirmations.find(open.challengeId, call.now));
  if (confirmation?.status !== 'pending') return { writes: [], changes: [] };
  const reason = 'device_removed';
  return {
    writes: [
      confirmations.move(confirmation.challengeId, 'cancel', call.now, { decidedAt: call.now, reason }),
    ],
    changes: [ended(confirmation, 'cancel', reason)],
  };
}

/**
 * Removes a device, by its user or a website, and its SNS endpoint unless another device has the same push token.
 *
 * @throws {@link Contended} to be run again from its reads
 */
export async function removeDevice(deps: RemoveDeps, removal: Removal): Promise<void> {
  const { device, call } = removal;
  const { writes, changes } = await cancelOpen(deps, removal);
  const history = recordEnd(removal.history, device.deviceId, { end: 'cancelled' }, call.now);
  try {
    await deps.ledger.commit(
      [...deps.devices.remove(device), deps.devices.saveHistory(device, removal, history), ...writes],
      [deviceDeregistered(device, removal.clientId), ...changes],
      call,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new Contended('changed meanwhile', { cause: error });
    throw error;
  }
  await releaseEndpoint(deps, device.endpointArn);
}
