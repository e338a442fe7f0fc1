import type { ConfirmationStore } from './confirmation-store.ts';
import { challengeView, statusAt, type Confirmation } from './confirmation.ts';
import type { DeviceCallRecord } from './device-call-store.ts';
import type { Device } from '../devices/device.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { closeExpired } from '../devices/push-history.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { minutes } from '../kernel/time.ts';

export type ListDeps = { devices: DeviceStore; confirmations: ConfirmationStore };

/** A device with the record that its call was verified with. */
export type VerifiedDevice = Omit<DeviceCallRecord, 'confirmation'> & { device: Device };

/** `lastSeenAt` is written at most this often, so that an app that polls does not cost a write each time. */
const lastSeenPrecision = 5 * minutes;

/**
 * The open challenges of a device: at most one.
 *
 * @param load reads and verifies the device, anew for each attempt
 */
export async function listChallenges(deps: ListDeps, load: () => Promise<VerifiedDevice>, now: number) {
  const confirmation = await retryOnConflict(async () => await openChallenge(deps, await load(), now));
  const isOpen = confirmation && statusAt(confirmation, now) === 'pending';
  return isOpen ? [challengeView(confirmation, now)] : [];
}

async function openChallenge(
  { devices, confirmations }: ListDeps,
  { device, history, isSuspended }: VerifiedDevice,
  now: number,
): Promise<Confirmation | undefined> {
  const { lastSeenAt = 0 } = device;
  if (now - lastSeenAt >= lastSeenPrecision) await devices.setLastSeen(device, now);
  if (isSuspended) return undefined;
  const open = closeExpired(history, now).open[device.deviceId];
  return open && (await confirmations.markOpened(open.challengeId, now));
}
