import { DeviceError, settings } from '#device';
import { deviceOf } from '../device-of.ts';
import { accountOf, type AccountStore } from '../storage/account-store.ts';
import type { AccountRecord } from '../storage/schema.ts';
import { subscribe, subscriptionId } from './subscription.ts';

/**
 * Subscribes if needed, and tells the service the subscription of each account for which it knows another one. Two tabs,
 * or a tab and the service worker, take turns.
 *
 * @param isDead pushes to the subscription no longer arrive: it is replaced, and told for every account
 * @returns true if pushes for all accounts arrive here
 */
export async function synchronize(
  manager: PushManager,
  store: AccountStore,
  isDead = false,
): Promise<boolean> {
  return await navigator.locks.request('omi.push', async () => {
    const { webPush } = await settings(location.origin);
    const subscription = (await subscribe(manager, webPush.applicationServerKey, isDead)).toJSON();
    const id = subscriptionId(subscription);
    const records = (await store.records()).filter((record) => isDead || record.sentSubscription !== id);
    const told = records.map(async (record) => await tell(record, subscription, store));
    const results = await Promise.allSettled(told);
    return results.every((result) => result.status === 'fulfilled' || isRemoved(result.reason));
  });
}

async function tell(
  record: AccountRecord,
  subscription: PushSubscriptionJSON,
  store: AccountStore,
): Promise<void> {
  await deviceOf(accountOf(record)).refreshPushToken({ subscription });
  await store.setSentSubscription(record.account.deviceId, subscriptionId(subscription));
}

/** The service no longer knows this device. The user learns that from the next call for challenges. */
const isRemoved = (error: unknown): boolean =>
  error instanceof DeviceError && error.code === 'invalid-signature';
