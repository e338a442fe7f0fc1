import { setTimeout } from 'node:timers/promises';
import { memoryStore, type Store } from '#website';

/** Longer than what several callers need to arrive. */
const delayMs = 50;

/** A store at the other end of a network, which answers null for what it does not have. */
export function slowStore(): Store {
  const store = memoryStore();
  return {
    put: async (...value) => {
      await setTimeout(delayMs);
      await store.put(...value);
    },
    get: async (key) => {
      const value = await store.get(key);
      await setTimeout(delayMs);
      return value ?? null;
    },
    take: async (key) => {
      await setTimeout(delayMs);
      return (await store.take(key)) ?? null;
    },
  };
}
