import type { KeyPair, PublicJwk } from '#device';
import type { Account, PendingEnrolment } from '../model.ts';
import { Database, resultOf } from './database.ts';

/** An account as it is stored. IndexedDB keeps the keys of WebCrypto although they are not extractable. */
export type AccountRecord = {
  readonly account: Omit<Account, 'key'>;
  readonly keyPair: KeyPair;
  readonly publicKey: PublicJwk;
  /** The push subscription that the service knows, see `subscriptionId`. */
  readonly sentSubscription?: string;
};

/** A pending enrolment as it is stored. */
export type StoredEnrolment = Omit<PendingEnrolment, 'key'> & Pick<AccountRecord, 'keyPair' | 'publicKey'>;

export const accountsStoreName = 'accounts';
export const historyStoreName = 'history';
export const valuesStoreName = 'values';

/** The storage of the web app at its own origin. */
export const ownDatabase = 'omi';

/** @param app the name of its storage */
export const openDatabase = (app: string): Database =>
  new Database(app, {
    version: 1,
    upgrade: (database) => {
      database.createObjectStore(accountsStoreName, { keyPath: 'account.deviceId' });
      const history = database.createObjectStore(historyStoreName, { keyPath: ['deviceId', 'challengeId'] });
      history.createIndex('byTime', ['deviceId', 'at']);
      database.createObjectStore(valuesStoreName);
    },
  });

/** Single values by name. */
export async function readValue<Value>(database: Database, name: string): Promise<Value | undefined> {
  return await database.read(valuesStoreName, async (transaction) => {
    return (await resultOf(transaction.objectStore(valuesStoreName).get(name))) as Value | undefined;
  });
}

export async function writeValue(database: Database, name: string, value: unknown): Promise<void> {
  await database.write(valuesStoreName, async (transaction) => {
    await resultOf(transaction.objectStore(valuesStoreName).put(value, name));
  });
}

export async function deleteValue(database: Database, name: string): Promise<void> {
  await database.write(valuesStoreName, async (transaction) => {
    await resultOf(transaction.objectStore(valuesStoreName).delete(name));
  });
}
