/** What one side has, and the other one was not found to have. By hashes of leaves, of which several may be alike. */
export class Unmatched<Entry> {
  readonly #entries = new Map<string, Entry[]>();

  get size(): number {
    return this.#entries.size;
  }

  add(hash: string, entry: Entry): void {
    const same = this.#entries.get(hash);
    if (same) same.push(entry);
    else this.#entries.set(hash, [entry]);
  }

  /** @returns false if there is none */
  take(hash: string): boolean {
    const same = this.#entries.get(hash);
    if (!same) return false;
    same.pop();
    if (same.length === 0) this.#entries.delete(hash);
    return true;
  }

  values(): Entry[] {
    return [...this.#entries.values()].flat();
  }
}
