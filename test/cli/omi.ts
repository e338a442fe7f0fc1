/** Runs the operator's commands in this process, as a terminal would. */
import { expect } from '@jest/globals';
import { run } from '../../cli/program.ts';
import type { TestStack } from '../support/stack.ts';

export type Answer = { code: number; out: string; err: string };

export type Run = {
  /** What somebody at the terminal answers to a question; without it there is no terminal. */
  answer?: string;
  /** Whether they press Ctrl-C in place of an answer. */
  interrupt?: true;
  /** Ctrl-C when a command that minds it has said this. */
  interruptAt?: string;
  environment?: NodeJS.ProcessEnv;
};

/** As `readline` has it. */
const interrupted = (): Error => Object.assign(new Error('Aborted with Ctrl+C'), { name: 'AbortError' });

export async function omi(
  args: readonly string[],
  { answer, interrupt, interruptAt, environment = {} }: Run = {},
): Promise<Answer & { asked: string[] }> {
  const said = { out: '', err: '' };
  const asked: string[] = [];
  const listeners = new Set<() => void>();
  const code = await run(args, {
    out: (text) => void (said.out += text),
    err: (text) => {
      said.err += text;
      if (interruptAt !== undefined && text.includes(interruptAt))
        for (const listener of listeners) listener();
    },
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ...(interrupt && { ask: async () => await Promise.reject(interrupted()) }),
    ...(answer !== undefined && {
      ask: async (question: string) => {
        asked.push(question);
        return await Promise.resolve(answer);
      },
    }),
    environment,
  });
  return { code, ...said, asked };
}

/** The same against a local stack. */
export const omiOn =
  (stack: TestStack) =>
  async (args: readonly string[], options: Run = {}) =>
    await omi(['--local', ...args], { ...options, environment: { OMI_STATE: stack.directory } });

/** The JSON of a command that is expected to be done. */
export const jsonOn =
  (stack: TestStack) =>
  async <Shape = Record<string, unknown>>(...args: string[]): Promise<Shape> => {
    const { code, out, err } = await omiOn(stack)(['--json', ...args]);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out) as Shape;
  };
