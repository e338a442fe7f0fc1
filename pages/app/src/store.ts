import type { Effect } from './state/effects.ts';
import type { Message } from './state/messages.ts';
import type { State } from './state/state.ts';
import { update } from './state/update.ts';

export type StoreDeps = {
  readonly now: () => number;
  /** Runs at once: some browser interfaces work only within the user's click. */
  readonly run: (effect: Effect) => void;
  readonly render: (state: State) => void;
};

/** Holds the state. Each message makes the next one, shows it, and runs what follows. */
export class Store {
  #state: State;
  readonly #deps: StoreDeps;

  constructor(state: State, deps: StoreDeps) {
    this.#state = state;
    this.#deps = deps;
  }

  get state(): State {
    return this.#state;
  }

  readonly send = (message: Message): void => {
    const [state, effects] = update(this.#state, message, this.#deps.now());
    this.#state = state;
    for (const effect of effects) this.#deps.run(effect);
    this.#deps.render(this.#state);
  };
}
