import type { ConfirmationStore } from './confirmation-store.ts';
import { challengeView, statusAt, type Confirmation, type Fetch } from './confirmation.ts';
import type { DeviceCallRecord } from './device-call-store.ts';
import type { Device } from '../devices/device.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { closeExpired, openOn } from '../devices/push-history.ts';
import { checkFetch } from './replayed-fetch.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { minutes } from '../kernel/time.ts';

export type ListDeps = { devices: DeviceStore; confirmations: ConfirmationStore };

/** A device with the record that its call was verified with. */
export type VerifiedDevice = Omit<DeviceCallRecord, 'confirmation'> & { device: Device };

/** `lastSeenAt` is written at most this often, so that an app that polls does not cost a write each time. */
const lastSeenPrecision = 5 * minutes;

/** The verified request, with the moment of its call. */
export type FetchContext = { fetch: Fetch; now: number };

/**
 * The open challenges of a device, the next to expire first.
 *
 * @param load reads and verifies the device again for each attempt
 * @throws {Refusal} `stale-request` if the request is a replay
 */
export async function listChallenges(
  deps: ListDeps,
  load: () => Promise<VerifiedDevice>,
  context: FetchContext,
) {
  const { now } = context;
  return await retryOnConflict(async () => {
    const device = await load();
    const confirmations = await openChallenges(deps, device, context);
    return confirmations.map((confirmation) => challengeView(confirmation, now, device.history.accountLabel));
  });
}

async function openChallenges(
  { devices, confirmations }: ListDeps,
  { device, history, isSuspended }: VerifiedDevice,
  context: FetchContext,
): Promise<Confirmation[]> {
  const { now } = context;
  const { lastSeenAt = 0 } = device;
  if (now - lastSeenAt >= lastSeenPrecision) await devices.setLastSeen(device, now);
  if (isSuspended) return [];
  const challengeIds = openOn(closeExpired(history, now), device.deviceId).map(
    ({ challengeId }) => challengeId,
  );
  return await markOpened(confirmations, challengeIds, context);
}

/**
 * One challenge, the usual case, costs one write and no read. Most of several challenges were opened before, and an app
 * reads the list often. So all are read first. Only new ones are written, and the last to expire, which stores the
 * request.
 * A request that is refused after the read writes nothing.
 */
async function markOpened(
  confirmations: ConfirmationStore,
  challengeIds: string[],
  { fetch, now }: FetchContext,
): Promise<Confirmation[]> {
  const isPending = (one: Confirmation): boolean => statusAt(one, now) === 'pending';
  const known = challengeIds.length > 1 ? await confirmations.findAll(challengeIds, now) : [];
  for (const one of known.filter(isPending)) checkFetch(one, fetch);
  const opened = new Map(
    known.flatMap((one) => (one.openedAt === undefined ? [] : [[one.challengeId, one]])),
  );
  const all = challengeIds.map(async (id) => {
    const seen = opened.get(id);
    if (seen && id !== challengeIds.at(-1)) return seen;
    const marked = await confirmations.markOpened(id, { fetch, now });
    if (marked && !marked.isRecorded && isPending(marked.confirmation))
      checkFetch(marked.confirmation, fetch);
    return marked?.confirmation;
  });
  return (await Promise.all(all)).flatMap((one) => (one && isPending(one) ? [one] : []));
}
