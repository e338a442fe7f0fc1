/** Runs like the real one, and can be turned forward. */
export class Clock {
  #aheadMs = 0;

  readonly now = (): number => Date.now() + this.#aheadMs;

  advance(milliseconds: number): void {
    this.#aheadMs += milliseconds;
  }

  /** Turns the clock instead of waiting. All who wait at the same time share the turn, and what else is to be done comes first. */
  readonly sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    const end = this.now() + milliseconds;
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    this.advance(Math.max(0, end - this.now()));
  };
}
