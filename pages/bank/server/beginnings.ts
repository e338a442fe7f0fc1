import type { Store } from '#website';

/** As long as a browser keeps its visitor. Afterwards the first user of OMI is as good as a new one. */
const keptSeconds = 30 * 24 * 3600;

const keyOf = (userId: string): string => `beginning:${userId}`;

/** The user that somebody has begun with, whatever was begun since. */
const firstOf = (userId: string): string => userId.split('~')[0] ?? userId;

/**
 * Users of the bank who have started again: each time they are a user of OMI of whom nothing is known, so that no limit, phone or
 * payment of the former one remains.
 */
export class Beginnings {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns the user of OMI now */
  async current(userId: string): Promise<string> {
    const first = firstOf(userId);
    const count = await this.#store.get(keyOf(first));
    return typeof count === 'string' ? `${first}~${count}` : first;
  }

  /** @returns the new user of OMI */
  async next(userId: string): Promise<string> {
    const first = firstOf(userId);
    const [, count = '0'] = (await this.current(userId)).split('~');
    await this.#store.put(keyOf(first), String(Number(count) + 1), { ttlSeconds: keptSeconds });
    return await this.current(userId);
  }
}
