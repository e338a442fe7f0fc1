import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import type { EndpointClient } from '../devices/push/endpoint-client.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { VersionedHistory } from '../devices/push-history-item.ts';
import { ConditionsFailed, type Write } from '../aws/dynamodb-client.ts';
import type { Outbox } from '../events/outbox-writer.ts';
import type { PushClient } from '../devices/push/push-client.ts';
import {
  newRelease,
  type ReleasedEndpoint,
  type ReleasedEndpointStore,
} from '../devices/push/released-endpoint-store.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { Device } from '../devices/device.ts';
import type { RequestContext, StateChange } from '../events/event.ts';
import { forgetDevice, closeExpired } from '../devices/push-history.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { FurtherDevicesPolicy } from '../tenants/further-devices-policy.ts';
import { confirmationEnded } from '../confirmations/confirmation-events.ts';
import { deviceDeregistered } from './device-events.ts';
import { releaseEndpoint } from '../devices/push/release-endpoint.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { notifyOfRemoval } from '../devices/push/notify-devices.ts';
import type { AuthorizedChange } from './authorize-by-confirmation.ts';

export type RemoveDeps = {
  devices: DeviceStore;
  released: ReleasedEndpointStore;
  confirmations: ConfirmationStore;
  outbox: Outbox;
  endpoints: EndpointClient;
  push: PushClient;
};

/** What there is to remove, as one read gives it. */
export type Found = VersionedHistory & { device: Device | undefined };

export type Removal<Record extends Found = Found> = {
  /** Reads anew at each try. */
  find: () => Promise<Record>;
  /** What is said where there is no such device. */
  notFound: Refusal;
  /** The client that removes it; absent when the device itself does. */
  clientId?: string;
  /** What allows it, looked up anew at each try. @throws {Refusal} where nothing does */
  authorize?: (device: Device, found: Record) => Promise<AuthorizedChange>;
  /** The tenant's setting; whether the user's other devices are told. */
  furtherDevices: () => Promise<FurtherDevicesPolicy>;
  context: RequestContext;
};

type Cancellation = { writes: Write[]; changes: StateChange[] };

/** A confirmation open on the device can no longer be answered: it is cancelled with the removal. */
async function cancelOpen(
  { confirmations }: RemoveDeps,
  { history }: VersionedHistory,
  { deviceId }: Device,
  context: RequestContext,
): Promise<Cancellation> {
  const open = closeExpired(history, context.now).open[deviceId];
  const confirmation = open && (await confirmations.find(open.challengeId, context.now));
  if (confirmation?.status !== 'pending') return { writes: [], changes: [] };
  const reason = 'device_removed';
  return {
    writes: [
      confirmations.transition(confirmation.challengeId, 'cancel', context.now, {
        decidedAt: context.now,
        reason,
      }),
    ],
    changes: [confirmationEnded(confirmation, 'cancel', reason)],
  };
}

type Removed = { device: Device; release: ReleasedEndpoint };

async function commitRemoval<Record extends Found>(
  deps: RemoveDeps,
  found: Record,
  { device, release }: Removed,
  { clientId, authorize, context }: Removal<Record>,
): Promise<void> {
  const permitted = await authorize?.(device, found);
  const { writes, changes } = await cancelOpen(deps, found, device, context);
  const history = forgetDevice(found.history, device.deviceId, context.now);
  try {
    await deps.outbox.commit(
      [
        ...deps.devices.remove(device, release),
        deps.devices.saveHistory(device, found, history),
        ...writes,
        ...(permitted?.writes ?? []),
      ],
      [deviceDeregistered(device, clientId, permitted?.authorization), ...changes],
      context,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('changed meanwhile', { cause: error });
    throw error;
  }
}

/**
 * Removes a device, by its user or a website, and its SNS endpoint unless another device has the same push token. The user's
 * other devices are told.
 *
 * @throws {Refusal} `missing`, and what `permit` throws
 */
export async function removeDevice<Record extends Found>(
  deps: RemoveDeps,
  removal: Removal<Record>,
): Promise<void> {
  let tried: Removed | undefined;
  const { device: gone, release } = await retryOnConflict(async () => {
    const found = await removal.find();
    const { device } = found;
    // Gone after a try of this very call whose answer was lost: it was the one.
    if (!device && tried) return tried;
    if (!device) throw removal.notFound;
    tried = { device, release: newRelease(device.endpointArn) };
    await commitRemoval(deps, found, tried, removal);
    return tried;
  });
  await Promise.all([releaseEndpoint(deps, release), notifyOfRemoval(deps, gone, removal.furtherDevices)]);
}
