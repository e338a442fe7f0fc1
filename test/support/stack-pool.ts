import { OwnStack } from './own-stack.ts';

/** Stacks that one file after the other uses, so that a run starts as few of them as files need at once. */
export class StackPool {
  readonly #idle: OwnStack[] = [];
  readonly #borrowed = new Map<string, OwnStack>();

  /** @returns the folder of a stack that no other file uses */
  async borrow(): Promise<string> {
    const stack = this.#idle.pop() ?? new OwnStack();
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
}
