import type { AccountNames } from '#device';
import { Listeners } from './listeners.ts';
import { forgetPasskey } from './passkeys/create.ts';
import type { Account, Accounts, LostAccount, Unsubscribe } from './platform.ts';
import type { AccountStore } from './storage/account-store.ts';
import type { KnownAccounts } from './storage/known-accounts.ts';
import type { BrowserTabs } from './tabs.ts';

export class BrowserAccounts implements Accounts {
  readonly #store: AccountStore;
  readonly #tabs: BrowserTabs;
  readonly #known: KnownAccounts;
  readonly #listeners = new Listeners();

  constructor(store: AccountStore, tabs: BrowserTabs, known: KnownAccounts) {
    this.#store = store;
    this.#tabs = tabs;
    this.#known = known;
    tabs.onAccountsChange(() => this.#listeners.call());
  }

  async list(): Promise<Account[]> {
    const accounts = await this.#store.list();
    this.#known.remember(accounts);
    return accounts;
  }

  async lost(): Promise<LostAccount[]> {
    const present = new Set((await this.#store.records()).map(({ account }) => account.deviceId));
    return this.#known.list().filter(({ deviceId }) => !present.has(deviceId));
  }

  async forgetLost(deviceId: string): Promise<void> {
    this.#known.forget(deviceId);
    await this.changed();
  }

  async setNames(deviceId: string, names: AccountNames): Promise<void> {
    if (await this.#store.setNames(deviceId, names)) await this.changed();
  }

  async rename(deviceId: string, name: string): Promise<void> {
    await this.#store.rename(deviceId, name);
    await this.changed();
  }

  async remove(deviceId: string): Promise<void> {
    const account = (await this.#store.list()).find((one) => one.deviceId === deviceId);
    await this.#store.remove(deviceId);
    this.#known.forget(deviceId);
    await this.changed();
    if (account?.passkey) await forgetPasskey(account.passkey);
  }

  onChange(listener: () => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** Tells this tab and the others that accounts have changed. */
  async changed(): Promise<void> {
    this.#known.remember(await this.#store.list());
    this.#tabs.announce({ type: 'accounts' });
    this.#listeners.call();
  }
}
