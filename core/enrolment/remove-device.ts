import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import type { EndpointClient } from '../devices/push/endpoint-client.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { VersionedHistory } from '../devices/push-history-item.ts';
import { ConditionsFailed, type Write } from '../aws/dynamodb-client.ts';
import type { Outbox } from '../events/outbox-writer.ts';
import type { PushChannels } from '../devices/push/push-channels.ts';
import {
  newRelease,
  type ReleasedEndpoint,
  type ReleasedEndpointStore,
} from '../devices/push/released-endpoint-store.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { Device } from '../devices/device.ts';
import type { RequestContext, StateChange } from '../events/event.ts';
import { forgetDevice, closeExpired, openOn } from '../devices/push-history.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { FurtherDevicesRule } from '../tenants/further-devices-policy.ts';
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
  push: PushChannels;
};

/** A device with what its removal changes, from one read. */
export type Found = VersionedHistory & { device: Device | undefined };

export type Removal<Record extends Found = Found> = {
  /** Reads again for each attempt. */
  find: () => Promise<Record>;
  /** Thrown if there is no such device. */
  notFound: Refusal;
  /** The client that removes the device. Absent if its user does, in the app. */
  clientId?: string;
  /** Checks again for each attempt what authorizes the removal. @throws {Refusal} if nothing does */
  authorize?: (device: Device, found: Record) => Promise<AuthorizedChange>;
  /** Says whether the user's other devices are notified. */
  findRule: () => Promise<FurtherDevicesRule>;
  context: RequestContext;
};

/** `release` of the SNS endpoint, if the device has one. */
type Removed = { device: Device; release: ReleasedEndpoint | undefined };

/**
 * Removes a device, and its SNS endpoint unless another device has the same push token. Notifies the user's other devices.
 *
 * @throws {Refusal} `notFound`, and what `authorize` throws
 */
export async function removeDevice<Record extends Found>(
  deps: RemoveDeps,
  removal: Removal<Record>,
): Promise<void> {
  let attempted: Removed | undefined;
  const { device: removed, release } = await retryOnConflict(async () => {
    const found = await removal.find();
    const { device } = found;
    // An earlier attempt of this request removed it, but its response was lost.
    if (!device && attempted) return attempted;
    if (!device) throw removal.notFound;
    attempted = { device, release: device.platform === 'web' ? undefined : newRelease(device.endpointArn) };
    await commitRemoval(deps, found, attempted, removal);
    return attempted;
  });
  await Promise.all([
    release && releaseEndpoint(deps, release),
    notifyOfRemoval(deps, removed, removal.findRule),
  ]);
}

async function commitRemoval<Record extends Found>(
  deps: RemoveDeps,
  found: Record,
  { device, release }: Removed,
  { clientId, authorize, context }: Removal<Record>,
): Promise<void> {
  const authorized = await authorize?.(device, found);
  const { writes, changes } = await cancelOpen(deps, found, device, context);
  const history = forgetDevice(found.history, device.deviceId, context.now);
  try {
    await deps.outbox.commit(
      [
        ...deps.devices.remove(device, release),
        deps.devices.saveHistory(device, found, history),
        ...writes,
        ...(authorized?.writes ?? []),
      ],
      [deviceDeregistered(device, clientId, authorized?.authorization), ...changes],
      context,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('changed meanwhile', { cause: error });
    throw error;
  }
}

type Cancellation = { writes: Write[]; changes: StateChange[] };

/** Confirmations that are open on the device can no longer be answered, so the removal cancels them: one transaction holds the most that may be open. */
async function cancelOpen(
  { confirmations }: RemoveDeps,
  { history }: VersionedHistory,
  { deviceId }: Device,
  { now }: RequestContext,
): Promise<Cancellation> {
  const open = openOn(closeExpired(history, now), deviceId);
  const found = await Promise.all(
    open.map(async ({ challengeId }) => await confirmations.find(challengeId, now)),
  );
  const pending = found.filter((one) => one !== undefined).filter(({ status }) => status === 'pending');
  const reason = 'device_removed';
  return {
    writes: pending.map(({ challengeId }) =>
      confirmations.transition(challengeId, 'cancel', now, { decidedAt: now, reason }),
    ),
    changes: pending.map((confirmation) => confirmationEnded(confirmation, 'cancel', { reason })),
  };
}
