/**
 * IndexedDB with promises. A connection closes as soon as another tab needs a newer version of the database, and is
 * opened again with the next transaction.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  /** `outdated`: a newer version of the app runs in another tab. `unavailable`: this window may not store anything. */
  readonly code: 'outdated' | 'unavailable';

  constructor(code: 'outdated' | 'unavailable', cause?: unknown) {
    super(code === 'outdated' ? 'A newer version of the app is open' : 'The browser stores no data', {
      cause,
    });
    this.code = code;
  }
}

export type Upgrade = { version: number; upgrade: (database: IDBDatabase, oldVersion: number) => void };

export class Database {
  readonly #name: string;
  readonly #upgrade: Upgrade;
  #connection: Promise<IDBDatabase> | undefined;

  constructor(name: string, upgrade: Upgrade) {
    this.#name = name;
    this.#upgrade = upgrade;
  }

  async read<Result>(stores: string | string[], work: (transaction: IDBTransaction) => Promise<Result>) {
    return await this.#run(stores, 'readonly', work);
  }

  /** All or nothing: an error in `work` undoes its changes. Resolves when the changes are on disk. */
  async write<Result>(stores: string | string[], work: (transaction: IDBTransaction) => Promise<Result>) {
    return await this.#run(stores, 'readwrite', work);
  }

  async #run<Result>(
    stores: string | string[],
    mode: 'readonly' | 'readwrite',
    work: (transaction: IDBTransaction) => Promise<Result>,
  ): Promise<Result> {
    const transaction = await this.#begin(stores, mode);
    const completion = completionOf(transaction);
    completion.catch(() => undefined); // It may fail before `work` does, which tells the reason.
    try {
      const result = await work(transaction);
      await completion;
      return result;
    } catch (error) {
      abort(transaction);
      await completion.catch(() => undefined);
      throw error;
    }
  }

  async #begin(stores: string | string[], mode: 'readonly' | 'readwrite'): Promise<IDBTransaction> {
    const options = { durability: 'strict' } as const;
    try {
      return (await this.#connect()).transaction(stores, mode, options);
    } catch (error) {
      // Browsers close connections by themselves, such as iOS when the app was in the background.
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
      this.#connection = undefined;
      return (await this.#connect()).transaction(stores, mode, options);
    }
  }

  async #connect(): Promise<IDBDatabase> {
    this.#connection ??= this.#open().catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return await this.#connection;
  }

  async #open(): Promise<IDBDatabase> {
    const { version, upgrade } = this.#upgrade;
    try {
      const request = indexedDB.open(this.#name, version);
      request.onupgradeneeded = ({ oldVersion }) => upgrade(request.result, oldVersion);
      // `blocked` needs no listener: the other tabs close their connections at `versionchange`, and this one opens.
      const database = await resultOf(request);
      const forget = () => (this.#connection = undefined);
      database.onclose = forget;
      database.onversionchange = () => {
        database.close();
        forget();
      };
      return database;
    } catch (error) {
      const isOutdated = error instanceof DOMException && error.name === 'VersionError';
      throw new StorageError(isOutdated ? 'outdated' : 'unavailable', error);
    }
  }
}

export async function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return await new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The request failed'));
  });
}

async function completionOf(transaction: IDBTransaction): Promise<void> {
  await new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was undone'));
  });
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}
