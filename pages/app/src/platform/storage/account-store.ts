import type { AccountNames } from '#device';
import { WebCryptoKey } from '#device';
import { namedBy } from '../names.ts';
import type { Account } from '../model.ts';
import { resultOf, type Database } from './database.ts';
import { accountsStoreName, historyStoreName, valuesStoreName, type AccountRecord } from './schema.ts';

export class AccountStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  async list(): Promise<Account[]> {
    return (await this.records()).map(accountOf);
  }

  async records(): Promise<AccountRecord[]> {
    const records = await this.#database.read(accountsStoreName, async (transaction) => {
      return (await resultOf(transaction.objectStore(accountsStoreName).getAll())) as AccountRecord[];
    });
    return records.sort((one, other) => one.account.enrolledAt - other.account.enrolledAt);
  }

  /** Adds an account, and deletes the value from which it was made, in one step. */
  async add({ key, ...account }: Account, madeFrom: string, sentSubscription?: string): Promise<void> {
    const { keyPair, publicKey } = key;
    const sent = sentSubscription === undefined ? {} : { sentSubscription };
    const record: AccountRecord = { account, keyPair, publicKey, ...sent };
    await this.#database.write([accountsStoreName, valuesStoreName], async (transaction) => {
      await resultOf(transaction.objectStore(accountsStoreName).put(record));
      await resultOf(transaction.objectStore(valuesStoreName).delete(madeFrom));
    });
  }

  /** True if the account is there and had other names. */
  async setNames(deviceId: string, names: AccountNames): Promise<boolean> {
    return await this.#change(deviceId, (record) => {
      const { label, ...account } = record.account;
      const isKnown = account.tenantName === names.tenant && label === names.account;
      return isKnown ? undefined : { ...record, account: { ...account, ...namedBy(names) } };
    });
  }

  async rename(deviceId: string, name: string): Promise<void> {
    await this.#change(deviceId, (record) => ({ ...record, account: { ...record.account, name } }));
  }

  /** The service knows this push subscription. */
  async setSentSubscription(deviceId: string, sentSubscription: string): Promise<void> {
    await this.#change(deviceId, (record) => ({ ...record, sentSubscription }));
  }

  /** Removes the account, its key and its history. */
  async remove(deviceId: string): Promise<void> {
    await this.#database.write([accountsStoreName, historyStoreName], async (transaction) => {
      await resultOf(transaction.objectStore(accountsStoreName).delete(deviceId));
      const entries = IDBKeyRange.bound([deviceId], [deviceId, []]);
      await resultOf(transaction.objectStore(historyStoreName).delete(entries));
    });
  }

  async #change(
    deviceId: string,
    change: (record: AccountRecord) => AccountRecord | undefined,
  ): Promise<boolean> {
    return await this.#database.write(accountsStoreName, async (transaction) => {
      const store = transaction.objectStore(accountsStoreName);
      const record = (await resultOf(store.get(deviceId))) as AccountRecord | undefined;
      const changed = record && change(record);
      if (changed) await resultOf(store.put(changed));
      return changed !== undefined;
    });
  }
}

export const accountOf = ({ account, keyPair, publicKey }: AccountRecord): Account => ({
  ...account,
  key: new WebCryptoKey(keyPair, publicKey),
});
