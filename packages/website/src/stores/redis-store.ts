import type { Store } from '../routes/store.ts';

/** A connected client of the package `redis`. */
export type RedisClient = {
  set(key: string, value: string, options: { EX: number }): Promise<unknown>;
  get(key: string): Promise<unknown>;
  getDel(key: string): Promise<unknown>;
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Redis 6.2 or later, or Valkey. Keys begin with `omi:`. */
export const redisStore = (client: RedisClient): Store => ({
  put: async (key, value, { ttlSeconds }) => {
    await client.set(nameOf(key), value, { EX: Math.ceil(ttlSeconds) });
  },
  get: async (key) => textOf(await client.get(nameOf(key))),
  take: async (key) => textOf(await client.getDel(nameOf(key))),
});

const nameOf = (key: string): string => `omi:${key}`;
