/** Where a call under way waits, or how it ended. */
export type Stop<Place> = { at: Place } | { outcome: unknown };

type Waiting<Place> = { place: Place; release: () => void };

/**
 * Makes a call wait at certain places, so that a test decides when it goes on, and what others do meanwhile. A call is at one
 * place at a time.
 */
export class Gate<Place> {
  #waiting: Waiting<Place> | undefined;
  #arrived: (() => void) | undefined;
  #end: { outcome: unknown } | undefined;

  /** What the call does at a place. */
  async pass(place: Place): Promise<void> {
    await new Promise<void>((release) => {
      this.#waiting = { place, release };
      this.#arrived?.();
    });
  }

  /** Begins the call, and goes with it to its first place. An error is an outcome. */
  async start(call: () => Promise<unknown>): Promise<Stop<Place>> {
    const end = (outcome: unknown): void => {
      this.#end = { outcome };
      this.#arrived?.();
    };
    call().then(end, end);
    return await this.#next();
  }

  /** Lets the call go on, to its next place or its end. */
  async go(): Promise<Stop<Place>> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.release();
    return await this.#next();
  }

  async #next(): Promise<Stop<Place>> {
    if (!this.#waiting && !this.#end)
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    this.#arrived = undefined;
    if (this.#waiting) return { at: this.#waiting.place };
    return this.#end ?? { outcome: undefined };
  }
}
