import { changesOf, type CurrentKey } from './published-key.ts';
import type { PublishedKeyStore } from './published-key-store.ts';

/** Records the keys that a deployment names, before it uses them. Idempotent. */
export async function publishKeys(
  store: Pick<PublishedKeyStore, 'list' | 'put'>,
  current: readonly CurrentKey[],
  now: number,
): Promise<void> {
  const changes = changesOf(await store.list(), current, now);
  await Promise.all(changes.map(async (key) => await store.put(key)));
}
