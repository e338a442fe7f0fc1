import type { Store } from './store.ts';

type Entry = { value: string; endsAt: number };

export type MemoryStoreOptions = {
  /** Beyond this, the oldest values go first. 10,000 by default. */
  maxEntries?: number;
  now?: () => number;
};

/** A store for one process: everything in it is gone when the process ends. */
export function memoryStore({ maxEntries = 10_000, now = Date.now }: MemoryStoreOptions = {}): Store {
  // In order of insertion, so that the first is the oldest.
  const entries = new Map<string, Entry>();

  const read = (key: string): string | undefined => {
    const entry = entries.get(key);
    if (entry && entry.endsAt > now()) return entry.value;
    entries.delete(key);
    return undefined;
  };

  const makeRoom = (): void => {
    if (entries.size < maxEntries) return;
    for (const [key, { endsAt }] of entries) if (endsAt <= now()) entries.delete(key);
    for (const key of entries.keys()) {
      if (entries.size < maxEntries) return;
      entries.delete(key);
    }
  };

  // Atomic, because nothing here waits.
  return {
    put: (key, value, { ttlSeconds }) => {
      entries.delete(key);
      makeRoom();
      entries.set(key, { value, endsAt: now() + ttlSeconds * 1000 });
      return Promise.resolve();
    },
    get: (key) => Promise.resolve(read(key)),
    take: (key) => {
      const value = read(key);
      entries.delete(key);
      return Promise.resolve(value);
    },
  };
}
