import { setTimeout as wait } from 'node:timers/promises';
import { seconds } from '../../core/kernel/time.ts';
import { explainError } from '../describe-error.ts';

export type Undo = {
  /** What is removed, in words for people. */
  what: string;
  /** A command or an instruction by which a person removes it. */
  fix: string;
  /** Idempotent: succeeds if there is nothing to remove. */
  remove: () => Promise<void>;
};

/** What could not be removed. */
export type Leftover = { what: string; reason: string; fix: string };

const attempts = 4;
const betweenAttempts = 2 * seconds;

/**
 * What a run created, to be removed in reverse order. Add an entry before the call that creates the thing, because the
 * answer of that call may be lost.
 */
export class UndoList {
  readonly #entries: Undo[] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  add(undo: Undo): void {
    this.#entries.push(undo);
  }

  async removeAll(tell: (line: string) => void): Promise<Leftover[]> {
    const leftovers: Leftover[] = [];
    for (const undo of this.#entries.toReversed()) {
      const fault = await attempt(undo.remove);
      const { what, fix } = undo;
      if (fault === undefined) tell(`removed  ${what}`);
      else {
        leftovers.push({ what, reason: fault, fix });
        tell(`LEFT     ${what}: ${fault}`);
      }
    }
    return leftovers;
  }
}

/** @returns the reason, if it failed */
async function attempt(remove: Undo['remove'], left = attempts - 1): Promise<string | undefined> {
  try {
    await remove();
    return undefined;
  } catch (error) {
    if (left === 0) return explainError(error).what;
    await wait(betweenAttempts);
    return await attempt(remove, left - 1);
  }
}
