import type { Device } from '../devices/device.ts';
import type { UserRecord } from '../devices/device-store.ts';
import {
  blockingOn,
  closeExpired,
  expiredChallengeIds,
  freeSlot,
  openKey,
  type OpenConfirmation,
  type PushHistory,
  type PushLimit,
  reachedLimit,
} from '../devices/push-history.ts';
import type { RequestContext } from '../events/event.ts';
import { mapConcurrent } from '../kernel/map-concurrent.ts';
import { testIntentOf } from '../kernel/test-users.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import type { Confirmation } from './confirmation.ts';
import { expireIfDue, type ExpiryDeps } from './expire-if-due.ts';

type Context = RequestContext & { caller: Pick<WebsiteCaller, 'settings'> };

/** A user's due confirmations that are ended at the same time. */
const dueAtOnce = 10;

/**
 * The history counts due confirmations as expired, so their expiry is written first: an answer may still arrive. If one was
 * answered or withdrawn meanwhile, this attempt fails by the history's version.
 *
 * @returns the history without them
 */
export async function endDueConfirmations(
  deps: ExpiryDeps,
  { history }: UserRecord,
  context: RequestContext,
): Promise<PushHistory> {
  const due = expiredChallengeIds(history, context.now);
  await mapConcurrent(due, dueAtOnce, async (challengeId) => {
    const found = await deps.confirmations.find(challengeId, context.now);
    if (found) await expireIfDue(deps, found, context);
  });
  return closeExpired(history, context.now);
}

/** The limit that forbids a question now. Test users answer as often as tests need. */
export const limitOn = (
  history: PushHistory,
  userId: string,
  { caller: { settings }, now }: Context,
): PushLimit | undefined =>
  settings.testUsers === 'on' && testIntentOf(userId)
    ? undefined
    : reachedLimit(history, settings.pushLimits, now);

/** What occupies the last free place of the device. */
export const blockedBy = (
  history: PushHistory,
  { deviceId }: Device,
  { caller }: Context,
): OpenConfirmation | undefined => blockingOn(history, deviceId, caller.settings.openPerDevice);

/** Where a question to all of these devices is. */
export const placesOnAll = (
  history: PushHistory,
  free: readonly Device[],
): Pick<Confirmation, 'asked' | 'fetchedBy'> => ({
  asked: free.map(({ deviceId }) => openKey(deviceId, freeSlot(history, deviceId))),
  fetchedBy: {},
});
