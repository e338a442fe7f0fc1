import type { Account, LostAccount } from '../model.ts';

/**
 * Names of this browser's accounts, in another storage than the keys. If the browser deletes the keys, the user can be told
 * which account was lost.
 */
export class KnownAccounts {
  readonly #item: string;

  /** @param app the name of its storage */
  constructor(app: string) {
    this.#item = `${app}.accounts`;
  }

  list(): LostAccount[] {
    try {
      const known: unknown = JSON.parse(localStorage.getItem(this.#item) ?? '[]');
      return Array.isArray(known) ? known.filter(isKnownAccount) : [];
    } catch {
      return [];
    }
  }

  /** Also keeps the accounts that are known and lost, until `forget`. */
  remember(accounts: readonly Account[]): void {
    const present = accounts.map(({ deviceId, tenantName, label }) => ({ deviceId, tenantName, label }));
    const lost = this.list().filter(({ deviceId }) => present.every((one) => one.deviceId !== deviceId));
    this.#store([...lost, ...present]);
  }

  forget(deviceId: string): void {
    this.#store(this.list().filter((known) => known.deviceId !== deviceId));
  }

  #store(accounts: unknown[]): void {
    try {
      localStorage.setItem(this.#item, JSON.stringify(accounts));
    } catch {
      // Without this storage a lost key shows no name.
    }
  }
}

function isKnownAccount(value: unknown): value is LostAccount {
  if (typeof value !== 'object' || value === null) return false;
  const { deviceId, tenantName, label } = value as Record<string, unknown>;
  return (
    typeof deviceId === 'string' &&
    typeof tenantName === 'string' &&
    ['string', 'undefined'].includes(typeof label)
  );
}
