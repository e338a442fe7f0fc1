import type { TestStack } from '../../support/stack.ts';

/** Something that is under way when the stack is killed. */
export type KilledScene = {
  /** Resolves at a moment at which the stack may be killed. */
  begin: (stack: TestStack) => Promise<void>;
  /** Between the kill and the next start with the same data. */
  whileDead?: () => Promise<void> | void;
  /** What is true when the stack is there again. */
  check: (stack: TestStack) => Promise<void>;
  close?: () => Promise<void>;
};
