import type { Account, LostAccount } from '../model.ts';

/**
 * Names of this browser's accounts, in another storage than the keys. If the browser deletes the keys, the user can be told
 * which account was lost.
 */
const ITEM = 'omi.accounts';

export function knownAccounts(): LostAccount[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(ITEM) ?? '[]');
    return Array.isArray(known) ? known.filter(isKnownAccount) : [];
  } catch {
    return [];
  }
}

/** Also keeps the accounts that are known and lost, until `forgetAccount`. */
export function rememberAccounts(accounts: readonly Account[]): void {
  const present = accounts.map(({ deviceId, tenantName, label }) => ({ deviceId, tenantName, label }));
  const lost = knownAccounts().filter(({ deviceId }) => present.every((one) => one.deviceId !== deviceId));
  store([...lost, ...present]);
}

export function forgetAccount(deviceId: string): void {
  store(knownAccounts().filter((known) => known.deviceId !== deviceId));
}

function store(accounts: unknown[]): void {
  try {
    localStorage.setItem(ITEM, JSON.stringify(accounts));
  } catch {
    // Without this storage a lost key shows no name.
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
