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
  /** If the store can tell all servers of something at once. Without it they look each second. */
  announcements?: Announcements;
};

/** Messages with ids, between the servers of a website. One may be lost: then it is found by the next look. */
export type Announcements = {
  announce(id: string): Promise<void>;
  /**
   * @param heard gets each id that a server announces from now on
   * @param signal aborts when nobody waits any more
   */
  listen(heard: (id: string) => void, signal: AbortSignal): Promise<void>;
};
