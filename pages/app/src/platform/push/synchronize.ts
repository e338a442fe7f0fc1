import { DeviceError, settings } from '#device';
import { deviceOf } from '../device-of.ts';
import { accountOf, type AccountStore } from '../storage/account-store.ts';
import type { AccountRecord } from '../storage/schema.ts';
import { subscribe, subscriptionId } from './subscription.ts';

/**
 * Subscribes if needed, and tells the service the subscription of each account for which it knows another one. Two tabs,
 * or a tab and the service worker, take turns.
 *
 * @returns true if pushes for all accounts arrive here
 */
export async function synchronize(manager: PushManager, store: AccountStore): Promise<boolean> {
  return await navigator.locks.request('omi.push', async () => {
    const { webPush } = await settings(location.origin);
    const subscription = (await subscribe(manager, webPush.applicationServerKey)).toJSON();
    const told = (await store.records()).map(async (record) => await tell(record, subscription, store));
    const results = await Promise.allSettled(told);
    return results.every((result) => result.status === 'fulfilled' || isRemoved(result.reason));
  });
}

async function tell(
  record: AccountRecord,
  subscription: PushSubscriptionJSON,
  store: AccountStore,
): Promise<void> {
  const sentSubscription = subscriptionId(subscription);
  if (record.sentSubscription === sentSubscription) return;
  await deviceOf(accountOf(record)).refreshPushToken({ subscription });
  await store.setSentSubscription(record.account.deviceId, sentSubscription);
}

/** The service no longer knows this device. The user learns that from the next call for challenges. */
const isRemoved = (error: unknown): boolean =>
  error instanceof DeviceError && error.code === 'invalid-signature';
