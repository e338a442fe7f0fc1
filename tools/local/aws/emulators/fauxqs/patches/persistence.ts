import { mkdir } from 'node:fs/promises';
import type { BuildAppOptions } from 'fauxqs';
import { loadInternal } from '../internals.ts';

type Stores = NonNullable<BuildAppOptions['stores']>;

type StoreClasses = {
  SqsStore: new () => Stores['sqsStore'];
  SnsStore: new () => Stores['snsStore'];
  S3Store: new () => Stores['s3Store'];
  PersistenceManager: new (folder: string) => NonNullable<Stores['sqsStore']['persistence']> & Manager;
};

type Manager = {
  load(...stores: [Stores['sqsStore'], Stores['snsStore'], Stores['s3Store']]): void;
  updateMessageReady(messageId: string): void;
  close(): void;
};

const files = ['sqs/sqsStore.js', 'sns/snsStore.js', 's3/s3Store.js', 'persistence.js'];

/**
 * Stores that are kept in a folder, as `startFauxqs` of the package makes them. The package has no way to keep data without
 * listening on every interface.
 *
 * Remove when fauxqs takes `dataDir` in `buildApp`, and keeps messages that become visible early.
 */
export async function openStores(folder: string): Promise<{ stores: Stores; close: () => void }> {
  await mkdir(folder, { recursive: true });
  const modules = await Promise.all(files.map(async (file) => await loadInternal<object>(file)));
  const { SqsStore, SnsStore, S3Store, PersistenceManager } = Object.assign({}, ...modules) as StoreClasses;
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const manager = new PersistenceManager(folder);
  // The package would write a null that its table refuses, and lose the message. Without that write, a message that became
  // visible early stays invisible after a restart until its timeout ends.
  manager.updateMessageReady = () => undefined;
  manager.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  for (const store of Object.values(stores)) store.persistence = manager;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = manager;
  return { stores, close: () => manager.close() };
}
