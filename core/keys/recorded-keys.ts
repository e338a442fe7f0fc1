import { minutes } from '../kernel/time.ts';
import type { PublishedKey } from './published-key.ts';
import type { PublishedKeyStore } from './published-key-store.ts';

/** Callers may keep what they get for five minutes more. Anyone may call, so the calls must not cost a read each. */
const keptForMs = 1 * minutes;

/** Reads the record of all keys at most once a minute. */
export function recordedKeys(store: Pick<PublishedKeyStore, 'list'>): () => Promise<PublishedKey[]> {
  let read: { keys: PublishedKey[]; at: number } | undefined;
  return async () => {
    const now = Date.now();
    if (!read || now - read.at >= keptForMs) read = { keys: await store.list(), at: now };
    return read.keys;
  };
}
