import type { ConfirmationStore } from '../adapters/confirmation-store.ts';
import type { EndpointRemoval } from '../adapters/endpoint-removal.ts';
import type { DeviceStore, VersionedHistory } from '../adapters/device-store.ts';
import { ConditionsFailed, type Write } from '../adapters/dynamodb.ts';
import type { Ledger } from '../adapters/ledger.ts';
import { newRelease, type ReleasedEndpoint, type ReleasedEndpoints } from '../adapters/released-endpoints.ts';
import { Contended } from '../domain/contended.ts';
import type { Device } from '../domain/device.ts';
import type { Call, StateChange } from '../domain/event.ts';
import { forgetDevice, settle } from '../domain/push-history.ts';
import type { Refusal } from '../domain/refusal.ts';
import { deviceDeregistered, ended } from '../domain/state-changes.ts';
import { releaseEndpoint } from './release-endpoint.ts';
import { retryContended } from './retry-contended.ts';

export type RemoveDeps = {
  devices: DeviceStore;
  released: ReleasedEndpoints;
  confirmations: ConfirmationStore;
  ledger: Ledger;
  removal: EndpointRemoval;
};

/** What there is to remove, as one read gives it. */
export type Found = VersionedHistory & { device: Device | undefined };

export type Removal = {
  /** Reads anew at each try. */
  find: () => Promise<Found>;
  /** What is said where there is no such device. */
  missing: Refusal;
  /** The client that removes it; absent when the device itself does. */
  clientId?: string;
  call: Call;
};

type Cancellation = { writes: Write[]; changes: StateChange[] };

/** A confirmation open on the device can no longer be answered: it is cancelled with the removal. */
async function cancelOpen(
  { confirmations }: RemoveDeps,
  { history }: VersionedHistory,
  { deviceId }: Device,
  call: Call,
): Promise<Cancellation> {
  const open = settle(history, call.now).open[deviceId];
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

type Removed = { device: Device; release: ReleasedEndpoint };

async function commitRemoval(
  deps: RemoveDeps,
  found: VersionedHistory,
  { device, release }: Removed,
  { clientId, call }: Removal,
): Promise<void> {
  const { writes, changes } = await cancelOpen(deps, found, device, call);
  const history = forgetDevice(found.history, device.deviceId, call.now);
  try {
    await deps.ledger.commit(
      [...deps.devices.remove(device, release), deps.devices.saveHistory(device, found, history), ...writes],
      [deviceDeregistered(device, clientId), ...changes],
      call,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new Contended('changed meanwhile', { cause: error });
    throw error;
  }
}

/**
 * Removes a device, by its user or a website, and its SNS endpoint unless another device has the same push token.
 *
 * @throws {Refusal} `missing`
 */
export async function removeDevice(deps: RemoveDeps, removal: Removal): Promise<void> {
  let tried: Removed | undefined;
  const { release } = await retryContended(async () => {
    const { device, ...found } = await removal.find();
    // Gone after a try of this very call whose answer was lost: it was the one.
    if (!device && tried) return tried;
    if (!device) throw removal.missing;
    tried = { device, release: newRelease(device.endpointArn) };
    await commitRemoval(deps, found, tried, removal);
    return tried;
  });
  await releaseEndpoint(deps, release);
}
