import { BrowserAccounts } from '../platform/accounts.ts';
import { loadBrand } from '../platform/brands.ts';
import { devices } from '../platform/device-of.ts';
import { BrowserEnrolment } from '../platform/enrolment.ts';
import { BrowserNetwork } from '../platform/network.ts';
import type { Passkeys, Platform, Push } from '../platform/platform.ts';
import { AccountStore } from '../platform/storage/account-store.ts';
import { HistoryStore } from '../platform/storage/history-store.ts';
import { KnownAccounts } from '../platform/storage/known-accounts.ts';
import { openDatabase } from '../platform/storage/schema.ts';
import { BrowserTabs } from '../platform/tabs.ts';

/**
 * The platform of a phone in another page: a storage of its own, and none of what belongs to the device and to the page around it,
 * which are camera, passkeys, push and installation.
 *
 * @param storage its name. Two phones of the same name are one.
 * @param baseUrl of the service, which the page around it has read
 */
export function createPhonePlatform(storage: string, baseUrl: string): Platform {
  const database = openDatabase(storage);
  const store = new AccountStore(database);
  const tabs = new BrowserTabs(storage);
  const accounts = new BrowserAccounts(store, tabs, new KnownAccounts(storage));
  return {
    config: always({ baseUrl }),
    brand: async (tenantId) => await loadBrand(database, tenantId),
    accounts,
    enrolment: new BrowserEnrolment({ database, store, accounts, subscription: always(undefined) }),
    history: new HistoryStore(database),
    device: devices(),
    push,
    passkeys,
    scanner: { available: () => false, scan: always({ outcome: 'no-camera' }) },
    install: { state: () => 'installed', prompt: always(false), onChange: never },
    network: new BrowserNetwork(),
    tabs,
    updates: { onAvailable: never, apply: () => undefined },
    badge: always(undefined),
    persist: always(false),
  };
}

/** A listener of what never happens here. */
const never = () => () => undefined;

const always =
  <const Value>(value: Value) =>
  (): Promise<Value> =>
    Promise.resolve(value);

/** The page around the phone tells of each request. */
const push: Push = {
  permission: () => 'granted',
  enable: always({ state: 'active' }),
  refresh: always({ state: 'active' }),
  replace: always({ state: 'active' }),
  onChange: never,
  closeNotification: always(undefined),
};

const passkeys: Passkeys = {
  available: always(false),
  assert: always({ outcome: 'unavailable' }),
  assertRemoval: always({ outcome: 'unavailable' }),
};
