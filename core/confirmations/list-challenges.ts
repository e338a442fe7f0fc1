import type { ConfirmationStore } from './confirmation-store.ts';
import { challengeView, statusAt, type Confirmation } from './confirmation.ts';
import type { DeviceCallRecord } from './device-call-store.ts';
import type { Device } from '../devices/device.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { closeExpired, openOn } from '../devices/push-history.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { minutes } from '../kernel/time.ts';

export type ListDeps = { devices: DeviceStore; confirmations: ConfirmationStore };

/** A device with the record that its call was verified with. */
export type VerifiedDevice = Omit<DeviceCallRecord, 'confirmation'> & { device: Device };

/** `lastSeenAt` is written at most this often, so that an app that polls does not cost a write each time. */
const lastSeenPrecision = 5 * minutes;

/**
 * The open challenges of a device, the next to expire first.
 *
 * @param load reads and verifies the device, anew for each attempt
 */
export async function listChallenges(deps: ListDeps, load: () => Promise<VerifiedDevice>, now: number) {
  return await retryOnConflict(async () => {
    const device = await load();
    const confirmations = await openChallenges(deps, device, now);
    return confirmations
      .filter((confirmation) => statusAt(confirmation, now) === 'pending')
      .map((confirmation) => challengeView(confirmation, now, device.history.accountLabel));
  });
}

async function openChallenges(
  { devices, confirmations }: ListDeps,
  { device, history, isSuspended }: VerifiedDevice,
  now: number,
): Promise<Confirmation[]> {
  const { lastSeenAt = 0 } = device;
  if (now - lastSeenAt >= lastSeenPrecision) await devices.setLastSeen(device, now);
  if (isSuspended) return [];
  const challengeIds = openOn(closeExpired(history, now), device.deviceId).map(
    ({ challengeId }) => challengeId,
  );
  return await markOpened(confirmations, challengeIds, now);
}

/**
 * One challenge, the usual case, costs one write and no read. Of several challenges most were opened before, and an app reads
 * the list often: so they are read first, and only new ones are written.
 */
async function markOpened(
  confirmations: ConfirmationStore,
  challengeIds: string[],
  now: number,
): Promise<Confirmation[]> {
  const known = challengeIds.length > 1 ? await confirmations.findAll(challengeIds, now) : [];
  const opened = new Map(
    known.flatMap((one) => (one.openedAt === undefined ? [] : [[one.challengeId, one]])),
  );
  const all = challengeIds.map(async (id) => opened.get(id) ?? (await confirmations.markOpened(id, now)));
  return (await Promise.all(all)).filter((confirmation) => confirmation !== undefined);
}
