import type { Unsubscribe } from './platform.ts';

/** A set of listeners. */
export class Listeners<Value = void> {
  readonly #listeners = new Set<(value: Value) => void>();

  add(listener: (value: Value) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  call(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
