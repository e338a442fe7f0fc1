import { setTimeout as wait } from 'node:timers/promises';
import { seconds } from '../../core/kernel/time.ts';
import { explainError } from '../describe-error.ts';

export type Undo = {
  /** For people: what is removed. */
  what: string;
  /** How a person removes it. */
  byHand: string;
  /** Idempotent: succeeds if there is nothing to remove. */
  remove: () => Promise<void>;
};

/** What could not be removed. */
export type Leftover = { what: string; reason: string; byHand: string };

const attempts = 4;
const betweenAttempts = 2 * seconds;

/**
 * What a run created, to be removed in reverse order. Add an entry before the call that creates its subject: the answer
 * of that call may be lost.
 */
export class UndoList {
  readonly #entries: Undo[] = [];

  add(undo: Undo): void {
    this.#entries.push(undo);
  }

  async removeAll(tell: (line: string) => void): Promise<Leftover[]> {
    const leftovers: Leftover[] = [];
    for (const undo of this.#entries.toReversed()) {
      const fault = await attempt(undo.remove);
      const { what, byHand } = undo;
      if (fault === undefined) tell(`removed  ${what}`);
      else {
        leftovers.push({ what, reason: fault, byHand });
        tell(`LEFT     ${what}: ${fault}`);
      }
    }
    return leftovers;
  }
}

/** @returns why it could not be done, if it could not */
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
