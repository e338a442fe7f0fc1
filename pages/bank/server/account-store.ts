import { type Account, newAccount } from './account.ts';
import { userOf } from './users.ts';

/** An account with the number of its changes. */
export type Stored = { account: Account; version: number };

/** Where the accounts are. */
export type AccountStore = {
  read(userId: string): Promise<Stored | undefined>;
  /** One atomic write: false if the account is no longer the one that was read (version 0: if there is one by now). */
  write(userId: string, account: Account, readVersion: number): Promise<boolean>;
};

/** For one process: every start begins anew. */
export function memoryAccounts(): AccountStore {
  const accounts = new Map<string, Stored>();
  return {
    read: (userId) => Promise.resolve(accounts.get(userId)),
    write: (userId, account, readVersion) => {
      const isCurrent = (accounts.get(userId)?.version ?? 0) === readVersion;
      if (isCurrent) accounts.set(userId, { account, version: readVersion + 1 });
      return Promise.resolve(isCurrent);
    },
  };
}

export async function readAccount(store: AccountStore, userId: string): Promise<Stored> {
  const stored = await store.read(userId);
  if (stored) return stored;
  const user = userOf(userId);
  if (!user) throw new Error('The session has no user');
  return { account: newAccount(user), version: 0 };
}

/**
 * Changes an account, and begins again if somebody else changed it meanwhile.
 *
 * @param change decides by the account of this moment, and throws to leave it as it is
 */
export async function changeAccount(
  store: AccountStore,
  userId: string,
  change: (account: Account) => Account,
): Promise<void> {
  for (;;) {
    const { account, version } = await readAccount(store, userId);
    if (await store.write(userId, change(account), version)) return;
  }
}
