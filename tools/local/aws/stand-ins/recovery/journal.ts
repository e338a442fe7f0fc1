/** An item, or a key, as DynamoDB writes it in JSON. */
export type Item = Readonly<Record<string, unknown>>;

type Change = { at: number; key: string; item: Item | undefined };

/** What was in a table at each moment since its point-in-time recovery is on. */
export class Journal {
  readonly begunAt = Date.now();
  readonly #keyNames: readonly string[];
  readonly #base: ReadonlyMap<string, Item>;
  readonly #changes: Change[] = [];

  /** @param items what is in the table now */
  constructor(keyNames: readonly string[], items: readonly Item[]) {
    this.#keyNames = keyNames;
    this.#base = new Map(items.map((item) => [this.#nameOf(item), item]));
  }

  /** The key of an item, which may be the key itself. */
  keyOf(item: Item): Item {
    return Object.fromEntries(this.#keyNames.map((name) => [name, item[name]]));
  }

  /** @param item what is there now; undefined if it was deleted */
  note(key: Item, item: Item | undefined): void {
    this.#changes.push({ at: Date.now(), key: this.#nameOf(key), item });
  }

  /** The items after the last write that was answered by then. */
  itemsAt(time: number): Item[] {
    const items = new Map(this.#base);
    for (const { at, key, item } of this.#changes) {
      if (at > time) break;
      if (item) items.set(key, item);
      else items.delete(key);
    }
    return [...items.values()];
  }

  #nameOf(item: Item): string {
    return JSON.stringify(this.#keyNames.map((name) => item[name]));
  }
}
