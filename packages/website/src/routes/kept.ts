import type { Store } from './store.ts';

/** One kind of values in the website's store, under a prefix of their own. */
export class Kept<Value> {
  readonly #store: Store;
  readonly #prefix: string;

  constructor(store: Store, kind: string) {
    this.#store = store;
    this.#prefix = `omi:${kind}:`;
  }

  async put(id: string, value: Value, ttlSeconds: number): Promise<void> {
    await this.#store.put(this.#prefix + id, JSON.stringify(value), { ttlSeconds });
  }

  async get(id: string): Promise<Value | undefined> {
    return this.#read(await this.#store.get(this.#prefix + id));
  }

  async take(id: string): Promise<Value | undefined> {
    return this.#read(await this.#store.take(this.#prefix + id));
  }

  #read(text: string | null | undefined): Value | undefined {
    return typeof text === 'string' ? (JSON.parse(text) as Value) : undefined;
  }
}
