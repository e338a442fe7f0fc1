import { Listeners } from '../listeners.ts';
import type { Push, PushHealth, PushPermission, Unsubscribe } from '../platform.ts';
import type { AccountStore } from '../storage/account-store.ts';
import type { Database } from '../storage/database.ts';
import { readValue, writeValue } from '../storage/schema.ts';
import { subscriptionId } from './subscription.ts';
import { synchronize } from './synchronize.ts';
import { isAppleMobile, isInstalled } from '../install.ts';

function pushPermission(): PushPermission {
  if (isAppleMobile() && !isInstalled()) return 'needs-install';
  if (!('Notification' in globalThis && 'PushManager' in globalThis && 'serviceWorker' in navigator))
    return 'unsupported';
  const { permission } = Notification;
  return permission === 'default' ? 'prompt' : permission;
}

/** The user has allowed notifications once. */
const allowedKey = 'pushAllowed';

type Options = {
  database: Database;
  store: AccountStore;
  /** Undefined if this browser runs no service worker here. */
  registration: Promise<ServiceWorkerRegistration | undefined>;
};

export class BrowserPush implements Push {
  readonly #options: Options;
  readonly #listeners = new Listeners<PushPermission>();

  constructor(options: Options) {
    this.#options = options;
    void this.#watchPermission();
  }

  permission(): PushPermission {
    return pushPermission();
  }

  async enable(): Promise<PushHealth> {
    if (this.permission() === 'prompt') await Notification.requestPermission();
    return await this.refresh();
  }

  async refresh(): Promise<PushHealth> {
    return await this.#synchronize();
  }

  async replace(): Promise<PushHealth> {
    return await this.#synchronize(true);
  }

  async #synchronize(isDead = false): Promise<PushHealth> {
    const { database, store } = this.#options;
    const permission = this.permission();
    if (permission !== 'granted')
      return (await readValue(database, allowedKey)) ? { state: 'revoked' } : { state: 'off', permission };
    await writeValue(database, allowedKey, true);
    const manager = (await this.#options.registration)?.pushManager;
    if (!manager) return { state: 'off', permission: 'unsupported' };
    const arrives = await synchronize(manager, store, isDead).catch(
      async () => !isDead && (await this.#isKnown(manager)),
    );
    return { state: arrives ? 'active' : 'unreachable' };
  }

  onChange(listener: (permission: PushPermission) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  async closeNotification(challengeId: string): Promise<void> {
    const registration = await this.#options.registration;
    const shown = (await registration?.getNotifications({ tag: challengeId })) ?? [];
    for (const notification of shown) notification.close();
  }

  /** The subscription that is there now. It asks the user nothing. */
  async subscription(): Promise<PushSubscriptionJSON | undefined> {
    if (this.permission() !== 'granted') return undefined;
    const subscription = await (await this.#options.registration)?.pushManager.getSubscription();
    return subscription?.toJSON();
  }

  /** Without a network: true if there is a subscription, and the service knows it for each account. */
  async #isKnown(manager: PushManager): Promise<boolean> {
    const subscription = await manager.getSubscription();
    if (!subscription) return false;
    const id = subscriptionId(subscription.toJSON());
    return (await this.#options.store.records()).every(({ sentSubscription }) => sentSubscription === id);
  }

  async #watchPermission(): Promise<void> {
    const status = await navigator.permissions.query({ name: 'notifications' }).catch(() => undefined);
    status?.addEventListener('change', () => this.#listeners.call(this.permission()));
  }
}
