import { CommanderError } from 'commander';
import { describeError } from './describe-error.ts';
import { UsageError } from './command-error.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/** What a script may count on; `omi --help` and docs/cli.md say the same. */
export const exitCodes = { done: 0, failed: 1, usedWrongly: 2 } as const;

/**
 * Runs one command.
 *
 * @returns the exit code
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has said everything by now.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usedWrongly;
    terminal.err(`${describeError(error)}\n`);
    return error instanceof UsageError ? exitCodes.usedWrongly : exitCodes.failed;
  }
}
