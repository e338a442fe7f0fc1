import type { ConfirmationStore } from './confirmation-store.ts';
import { challengeView, statusAt, type Confirmation, type Fetch, type ShownVotes } from './confirmation.ts';
import type { GroupStore } from './groups/group-store.ts';
import type { DeviceCallRecord } from './device-call-store.ts';
import { pushStateOf, type Device } from '../devices/device.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { closeExpired, openOn, type OpenConfirmation, type PushHistory } from '../devices/push-history.ts';
import { recoveryQuestionOn } from '../devices/recovery.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { minutes } from '../kernel/time.ts';
import { Refusal } from '../kernel/refusal.ts';

/**
 * What a member sees of the other votes, where the tenant's setting allowed it when the group was asked. One read, and one more if somebody
 * has confirmed.
 *
 * @returns undefined if members do not see it
 */
async function shownVotes(
  { groups, devices }: { groups: GroupStore; devices: DeviceStore },
  { tenantId, groupId, showVotes }: Confirmation,
  now: number,
): Promise<ShownVotes | undefined> {
  if (groupId === undefined || !showVotes) return undefined;
  const { confirmedBy = [] } = (await groups.find(groupId, now)) ?? {};
  if (confirmedBy.length === 0) return { confirmed: 0, confirmedBy: [] };
  const users = confirmedBy.map((userId) => ({ tenantId, userId }));
  const histories = await devices.findHistories(users);
  const labels = confirmedBy.flatMap((userId) => histories.get(userId)?.history.accountLabel ?? []);
  return { confirmed: confirmedBy.length, confirmedBy: labels };
}

/**
 * Whether the challenge was shown to a later request, or to this very message in another call.
 *
 * @param fetched the newest request of this device that got the challenge
 */
const isReplay = (fetched: Fetch | undefined, { issuedAt, jwsHash, call }: Fetch): boolean =>
  fetched !== undefined &&
  fetched.call !== call &&
  (fetched.issuedAt > issuedAt || (fetched.issuedAt === issuedAt && fetched.jwsHash === jwsHash));

/** @throws {Refusal} `stale-request` if the open challenge must not be shown to the request */
function checkFetch(fetched: Fetch | undefined, fetch: Fetch): void {
  if (!isReplay(fetched, fetch)) return;
  throw new Refusal(
    'stale-request',
    'This request for challenges, or a newer one, was used before. Sign a new one.',
  );
}

export type ListDeps = { devices: DeviceStore; confirmations: ConfirmationStore; groups: GroupStore };

/** A device with the record that its call was verified with. */
export type VerifiedDevice = Omit<DeviceCallRecord, 'confirmation'> & { device: Device };

/** `lastSeenAt` is written at most this often, so that an app that polls does not cost a write each time. */
const lastSeenPrecision = 5 * minutes;

/** The verified request, with the moment of its call. */
export type FetchContext = { fetch: Fetch; now: number };

/**
 * The open challenges of a device, the next to expire first, and whether pushes reach it.
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
    const account = device.history.accountLabel;
    const challenges = await Promise.all(
      confirmations.map(async (confirmation) =>
        challengeView(confirmation, now, { account, votes: await shownVotes(deps, confirmation, now) }),
      ),
    );
    return { challenges, push: pushStateOf(device.device) };
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
  const open = [...openOn(closeExpired(history, now), device.deviceId), ...questionsOf(history, device, now)];
  return await markOpened(confirmations, open, { ...context, deviceId: device.deviceId });
}

/** What tells the device of a recovery. It takes no place that a website could use. */
function questionsOf({ recovery }: PushHistory, { deviceId }: Device, now: number): OpenConfirmation[] {
  const challengeId = recoveryQuestionOn(recovery, deviceId, now);
  if (challengeId === undefined || !recovery) return [];
  return [{ challengeId, expiresAt: recovery.expiresAt, isShared: true }];
}

/**
 * One challenge, the usual case, costs one write and no read. Most of several challenges were opened before, and an app
 * reads the list often. So all are read first. Only new ones are written, and the last to expire, which stores the
 * request.
 * A request that is refused after the read writes nothing.
 */
async function markOpened(
  confirmations: ConfirmationStore,
  open: OpenConfirmation[],
  { fetch, now, deviceId }: FetchContext & { deviceId: string },
): Promise<Confirmation[]> {
  const isPending = (one: Confirmation): boolean => statusAt(one, now) === 'pending';
  const check = ({ fetched, fetchedBy }: Confirmation) => checkFetch(fetchedBy?.[deviceId] ?? fetched, fetch);
  const challengeIds = open.map(({ challengeId }) => challengeId);
  const known = open.length > 1 ? await confirmations.findAll(challengeIds, now) : [];
  for (const one of known.filter(isPending)) check(one);
  const opened = new Map(
    known.flatMap((one) => (one.openedAt === undefined ? [] : [[one.challengeId, one]])),
  );
  const all = open.map(async ({ challengeId, isShared }) => {
    const seen = opened.get(challengeId);
    if (seen && challengeId !== challengeIds.at(-1)) return seen;
    const marked = await confirmations.markOpened(challengeId, { fetch, now, ...(isShared && { deviceId }) });
    if (marked && !marked.isRecorded && isPending(marked.confirmation)) check(marked.confirmation);
    return marked?.confirmation;
  });
  return (await Promise.all(all)).flatMap((one) => (one && isPending(one) ? [one] : []));
}
