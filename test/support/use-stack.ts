import { afterAll, beforeAll } from '@jest/globals';
import { documentAnswers } from './documented-answers.ts';
import { watchSecrets } from './kept-secrets.ts';
import { borrowStack, giveStackBack, sharedOfRun } from './run-services.ts';
import { restoreTargets } from './initial-targets.ts';
import type { Untouched } from './run-services.ts';
import { TestStack } from './stack.ts';

/**
 * The stack that such files of a run have in common: for tests whose users, tenants and targets are their own, and whose
 * faults, if they have any, name them. Its answers must be the documented ones, and its log keep secrets.
 */
export function useSharedStack(): TestStack {
  const stack = new TestStack();
  holdToRules(stack, {
    start: async () => await stack.attach(await sharedOfRun('stack')),
    stop: async () => await Promise.resolve(),
  });
  return stack;
}

export type ExclusiveOptions = {
  /** What files before may not have changed: nobody has used the bank, or the stack, before. */
  untouched?: Untouched;
  /** Puts back what the next file must find as it was. */
  putBack?: () => Promise<void>;
};

/**
 * A stack that no other file uses at the same time, with the same rules: for tests that make all of AWS fail, count its
 * calls, or replace the targets of the start. The next file finds no faults, and those targets.
 */
export function useExclusiveStack({ untouched, putBack }: ExclusiveOptions = {}): TestStack {
  const stack = new TestStack();
  holdToRules(stack, {
    start: async () => await stack.attach(await borrowStack(untouched)),
    stop: async () => {
      await endFaults(stack.file);
      await restoreTargets(stack.file);
      await putBack?.();
      await giveStackBack(stack.directory);
    },
  });
  return stack;
}

async function endFaults({ faultsUrl }: { faultsUrl: string }): Promise<void> {
  const faults = (await (await fetch(faultsUrl)).json()) as { id: string }[];
  for (const { id } of faults) await fetch(`${faultsUrl}/${id}`, { method: 'DELETE' });
}

type Life = Record<'start' | 'stop', () => Promise<void>>;

function holdToRules(stack: TestStack, { start, stop }: Life): void {
  documentAnswers(() => stack.file.baseUrl);
  const secretsIn = watchSecrets();
  beforeAll(start);
  afterAll(async () => {
    const log = await stack.log();
    await stop();
    const told = secretsIn(log);
    if (told.length > 0) throw new Error(`The Lambdas' log has ${told.slice(0, 5).join(', ')}`);
  });
}
