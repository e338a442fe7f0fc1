import { BrowserAccounts } from './accounts.ts';
import { clearBadge, showBadge } from './badge.ts';
import { loadBrand } from './brands.ts';
import { readConfig } from './config.ts';
import { devices } from './device-of.ts';
import { BrowserEnrolment } from './enrolment.ts';
import { BrowserInstall } from './install.ts';
import { BrowserNetwork } from './network.ts';
import { BrowserPasskeys } from './passkeys/passkeys.ts';
import type { Platform } from './platform.ts';
import { BrowserPush } from './push/push.ts';
import { CameraScanner } from './scanner/scanner.ts';
import { AccountStore } from './storage/account-store.ts';
import { HistoryStore } from './storage/history-store.ts';
import { KnownAccounts } from './storage/known-accounts.ts';
import { openDatabase, ownDatabase } from './storage/schema.ts';
import { BrowserTabs } from './tabs.ts';
import { BrowserUpdates } from './updates.ts';

/** The Content-Security-Policy names this policy. It makes the only script URL that the app ever needs. */
const policyName = 'omi-service-worker';
const script = '/service-worker.js';

/** Trusted Types, which are not in the DOM's types of all versions. */
type TrustedTypesApi = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): unknown;
  };
};

/**
 * Registers the service worker.
 *
 * @returns the registration with an active worker; undefined if this browser or window has none
 */
async function registerServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  try {
    await navigator.serviceWorker.register(scriptUrl(), { updateViaCache: 'none' });
    return await navigator.serviceWorker.ready;
  } catch {
    return undefined;
  }
}

function scriptUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesApi };
  const policy = trustedTypes?.createPolicy(policyName, { createScriptURL: () => script });
  // The registration takes a TrustedScriptURL, which older types of the DOM do not know.
  return (policy?.createScriptURL(script) ?? script) as string;
}

/** Wires the platform. Call it once, at the start: some events of the browser come only once. */
export function createPlatform(): Platform {
  const database = openDatabase(ownDatabase);
  const store = new AccountStore(database);
  const tabs = new BrowserTabs(ownDatabase);
  const registration = registerServiceWorker();
  const accounts = new BrowserAccounts(store, tabs, new KnownAccounts(ownDatabase));
  const push = new BrowserPush({ database, store, registration });
  const subscription = async () => await push.subscription();
  return {
    config: async () => await readConfig(database),
    brand: async (tenantId) => await loadBrand(database, tenantId),
    accounts,
    enrolment: new BrowserEnrolment({ database, store, accounts, subscription }),
    history: new HistoryStore(database),
    device: devices(),
    push,
    passkeys: new BrowserPasskeys(),
    scanner: new CameraScanner(),
    install: new BrowserInstall(),
    network: new BrowserNetwork(),
    tabs,
    updates: new BrowserUpdates(registration),
    badge: async (count) => await (count > 0 ? showBadge(count) : clearBadge()),
    persist: async () => await navigator.storage.persist(),
  };
}
