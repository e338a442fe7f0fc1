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
import {
  forgetChallenges,
  forgetDevice,
  closeExpired,
  openChallengeIds,
  openOn,
} from '../devices/push-history.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { FurtherDevicesRule } from '../tenants/further-devices-policy.ts';
import type { Confirmation } from '../confirmations/confirmation.ts';
import { confirmationEnded } from '../confirmations/confirmation-events.ts';
import { countVote } from '../confirmations/groups/count-vote.ts';
import type { GroupStore } from '../confirmations/groups/group-store.ts';
import { notifyOfDecision } from '../confirmations/notify-of-answer.ts';
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
  groups: GroupStore;
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
  const history = forgetDevice(found.history, device.deviceId, context.now);
  const left = new Set(openChallengeIds(history, context.now));
  const pending = await pendingOn(deps, found, device, { left, context });
  const votes = pending.filter(({ groupId }) => groupId !== undefined);
  if (votes.length > 0) {
    for (const { challengeId } of votes) await endVote(deps, challengeId, context);
    throw new ConflictError('votes were ended');
  }
  const { writes, changes } = cancellationOf(deps, pending, context);
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

const reason = 'device_removed';

/**
 * Confirmations that are open on this device alone can no longer be answered, so the removal cancels them: one transaction
 * holds the most that may be open.
 *
 * @param after.left the challenge ids that stay open on other devices
 */
async function pendingOn(
  { confirmations }: RemoveDeps,
  { history }: VersionedHistory,
  { deviceId }: Device,
  { left, context: { now } }: { left: ReadonlySet<string>; context: RequestContext },
): Promise<Confirmation[]> {
  const open = openOn(closeExpired(history, now), deviceId).filter(
    ({ challengeId }) => !left.has(challengeId),
  );
  const found = await Promise.all(
    open.map(async ({ challengeId }) => await confirmations.find(challengeId, now)),
  );
  return found.filter((one) => one !== undefined).filter(({ status }) => status === 'pending');
}

const cancellationOf = (
  { confirmations }: RemoveDeps,
  pending: readonly Confirmation[],
  { now }: RequestContext,
): { writes: Write[]; changes: StateChange[] } => ({
  writes: pending.map(({ challengeId }) =>
    confirmations.transition(challengeId, 'cancel', now, { decidedAt: now, reason }),
  ),
  changes: pending.map((confirmation) => confirmationEnded(confirmation, 'cancel', { reason })),
});

/**
 * Ends a vote whose member has no device left for it. It may decide its group, which then ends the votes of others: so it has a
 * transaction of its own, before that of the removal.
 */
async function endVote(deps: RemoveDeps, challengeId: string, context: RequestContext): Promise<void> {
  const closed = await retryOnConflict(async () => {
    const vote = await deps.confirmations.find(challengeId, context.now);
    if (vote?.status !== 'pending') return [];
    const [user, group] = await Promise.all([
      deps.devices.loadUser(vote),
      countVote(deps, vote, false, context),
    ]);
    // A group that is over has expired, and its votes with it, as callers may have seen. Only the history forgets the vote.
    const { writes, changes } = cancellationOf(deps, group ? [vote] : [], context);
    const history = forgetChallenges(user.history, new Set([challengeId]));
    try {
      await deps.outbox.commit(
        [...writes, deps.devices.saveHistory(vote, user, history), ...(group?.writes ?? [])],
        [...changes, ...(group?.changes ?? [])],
        context,
      );
    } catch (error) {
      if (error instanceof ConditionsFailed) throw new ConflictError('changed meanwhile', { cause: error });
      throw error;
    }
    return group?.closed ?? [];
  });
  await Promise.all(closed.map(async (vote) => await notifyOfDecision(deps, vote)));
}
