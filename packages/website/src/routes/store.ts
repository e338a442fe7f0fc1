/**
 * Where the routes keep what was asked, by random keys. Every server of the website uses the same store.
 *
 * `take` reads a value and removes it in one atomic step: of several callers at once exactly one gets the value.
 * A value is gone after `ttlSeconds`, or later.
 */
export type Store = {
  put(key: string, value: string, options: { ttlSeconds: number }): Promise<void>;
  get(key: string): Promise<string | null | undefined>;
  take(key: string): Promise<string | null | undefined>;
};
