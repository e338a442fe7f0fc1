import type { Untouched } from './run-services.ts';
import { OwnStack } from './own-stack.ts';

/** Stacks that one file after the other uses, so that a run starts as few of them as files need at once. */
export class StackPool {
  readonly #idle: OwnStack[] = [];
  readonly #borrowed = new Map<string, OwnStack>();
  readonly #bankUsed = new Set<OwnStack>();

  /** @returns the folder of a stack that no other file uses */
  async borrow(untouched?: Untouched): Promise<string> {
    const stack = this.#take(untouched) ?? new OwnStack();
    if (untouched === 'bank') this.#bankUsed.add(stack);
    if (!stack.isRunning) await stack.start();
    this.#borrowed.set(stack.directory, stack);
    return stack.directory;
  }

  /** @throws if it ended by itself: it is not lent again */
  giveBack(directory: string): string {
    const stack = this.#borrowed.get(directory);
    if (!stack?.isRunning) throw new Error(`The stack in ${directory} does not run any more`);
    this.#borrowed.delete(directory);
    this.#idle.push(stack);
    return directory;
  }

  async close(): Promise<void> {
    const stacks = [...this.#idle, ...this.#borrowed.values()];
    await Promise.all(stacks.map(async (stack) => await stack.stop()));
  }

  #take(untouched: Untouched | undefined): OwnStack | undefined {
    // A file has used each of them.
    if (untouched === 'everything') return undefined;
    const fits = (stack: OwnStack): boolean => untouched === undefined || !this.#bankUsed.has(stack);
    const at = this.#idle.findLastIndex(fits);
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0];
  }
}
