import type { Store } from '../routes/store.ts';
import { endWith } from './end-with.ts';

/** A pool of the package `pg`. */
export type PostgresPool = {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** A connection of its own, which listens and does nothing else. */
  connect(): Promise<PostgresListener>;
};

type PostgresListener = {
  query(text: string): Promise<unknown>;
  on(event: string, listener: (...args: never[]) => void): unknown;
  /** @param destroy true: the connection does not go back to the pool */
  release(destroy: boolean): void;
};

const channel = 'omi_ended';

/** If several servers create a table at once, some fail in spite of IF NOT EXISTS. So they wait for one another. */
const creation = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('omi_store'));
  CREATE TABLE IF NOT EXISTS omi_store (
    key text PRIMARY KEY, value text NOT NULL, ends_at timestamptz NOT NULL);
  CREATE INDEX IF NOT EXISTS omi_store_ends_at ON omi_store (ends_at);
END $$`;

/** "undefined_table" (PostgreSQL's error codes). */
const isMissing = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '42P01';

/** Keeps its values in the table `omi_store`, which it creates if there is none. A new value removes those that have ended. */
export function postgresStore(pool: PostgresPool): Store {
  const query = async (text: string, ...values: unknown[]): Promise<string | undefined> => {
    const run = async () => await pool.query(text, values);
    const { rows } = await run().catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await pool.query(creation);
      return await run();
    });
    return (rows[0] as { value?: string } | undefined)?.value;
  };
  return {
    put: async (key, value, { ttlSeconds }) => {
      await query(
        `WITH ended AS (DELETE FROM omi_store WHERE ends_at <= now() AND key <> $1)
         INSERT INTO omi_store VALUES ($1, $2, now() + make_interval(secs => $3))
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at`,
        ...[key, value, ttlSeconds],
      );
    },
    get: async (key) => await query('SELECT value FROM omi_store WHERE key = $1 AND ends_at > now()', key),
    take: async (key) =>
      await query('DELETE FROM omi_store WHERE key = $1 AND ends_at > now() RETURNING value', key),
    announcements: {
      announce: async (id) => {
        await pool.query('SELECT pg_notify($1, $2)', [channel, id]);
      },
      listen: async (heard, signal) => {
        const listener = await pool.connect();
        // What it misses when the database ends the connection is found without it.
        listener.on('error', () => undefined);
        listener.on('notification', ({ payload = '' }: { payload?: string }) => heard(payload));
        endWith(signal, () => listener.release(true));
        if (!signal.aborted) await listener.query(`LISTEN ${channel}`);
      },
    },
  };
}
