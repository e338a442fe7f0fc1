import type { Store } from '../routes/store.ts';
import { endWith } from './end-with.ts';

/** A connected client of the package `redis`. */
export type RedisClient = {
  set(key: string, value: string, options: { EX: number }): Promise<unknown>;
  get(key: string): Promise<unknown>;
  getDel(key: string): Promise<unknown>;
  publish(channel: string, message: string): Promise<unknown>;
  /** Another client, whose connection listens and does nothing else. */
  duplicate(): {
    on(event: 'error', listener: (error: unknown) => void): unknown;
    connect(): Promise<unknown>;
    subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
    destroy(): void;
  };
};

const channel = 'omi:ended';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Redis 6.2 or later, or Valkey. Keys begin with `omi:`. */
export const redisStore = (client: RedisClient): Store => ({
  put: async (key, value, { ttlSeconds }) => {
    await client.set(nameOf(key), value, { EX: Math.ceil(ttlSeconds) });
  },
  get: async (key) => textOf(await client.get(nameOf(key))),
  take: async (key) => textOf(await client.getDel(nameOf(key))),
  announcements: {
    announce: async (id) => {
      await client.publish(channel, id);
    },
    listen: async (heard, signal) => {
      const listener = client.duplicate();
      // It connects again by itself, and what it misses is found without it.
      listener.on('error', () => undefined);
      const connected = listener.connect();
      // Also while it tries to connect: otherwise it would go on for as long as Redis is down.
      endWith(signal, () => listener.destroy());
      await connected;
      if (!signal.aborted) await listener.subscribe(channel, heard);
    },
  },
});

const nameOf = (key: string): string => `omi:${key}`;
