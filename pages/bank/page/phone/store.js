/** @import { DeviceIdentity, KeyPair } from '/assets/omi-device.js' */

/** @typedef {{ deviceId: string, name: string, identity: DeviceIdentity, keyPair: KeyPair }} PhoneRecord */

/**
 * Where the page keeps its phones: IndexedDB, which stores a key that nobody can read. Without IndexedDB they live as long as
 * the page.
 */
export class PhoneStore {
  /** @type {Promise<IDBDatabase> | undefined} */
  #database;
  /** @type {Map<string, PhoneRecord>} */
  #memory = new Map();

  /** @returns {Promise<PhoneRecord[]>} */
  async all() {
    /** @type {unknown} */
    const stored = await this.#run('readonly', (store) => store.getAll());
    return /** @type {PhoneRecord[] | undefined} */ (stored) ?? [...this.#memory.values()];
  }

  /** @param {PhoneRecord} phone */
  async put(phone) {
    this.#memory.set(phone.deviceId, phone);
    await this.#run('readwrite', (store) => store.put(phone));
  }

  /** @param {string} deviceId */
  async remove(deviceId) {
    this.#memory.delete(deviceId);
    await this.#run('readwrite', (store) => store.delete(deviceId));
  }

  /**
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest<T>} action
   * @returns {Promise<T | undefined>} undefined without IndexedDB
   */
  async #run(mode, action) {
    try {
      this.#database ??= open();
      const transaction = (await this.#database).transaction(STORE, mode);
      return await settled(action(transaction.objectStore(STORE)));
    } catch {
      return undefined;
    }
  }
}

const STORE = 'phones';

async function open() {
  const request = indexedDB.open('omi-demo-bank', 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(STORE, { keyPath: 'deviceId' });
  return await settled(request);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const settled = async (request) =>
  await new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
