/** Remembers which events were handled. One that several processes share is asynchronous, for example a table. */
export type EventMemory = {
  has: (key: string) => boolean | Promise<boolean>;
  add: (key: string) => void | Promise<void>;
};

/** The last so many events, in the memory of this process. */
export class SeenEvents implements EventMemory {
  readonly #keys = new Set<string>();
  readonly #capacity: number;

  constructor(capacity = 100_000) {
    this.#capacity = capacity;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= this.#capacity) break;
      this.#keys.delete(oldest);
    }
  }
}
