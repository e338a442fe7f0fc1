/** Who waits for the end of something, by its id. */
export class Waiting {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when the id is woken, or after the pause. */
  async until(id: string, pause: (wake: AbortSignal) => Promise<unknown>): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    const all = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, all.add(wake));
    try {
      await pause(woken.signal);
    } catch (error) {
      if (!woken.signal.aborted) throw error;
    } finally {
      all.delete(wake);
      if (all.size === 0) this.#waiting.delete(id);
    }
  }

  wake(id: string): void {
    for (const wake of this.#waiting.get(id) ?? []) wake();
  }
}
