import { type Command } from 'commander';
import { createProgram } from '../../cli/program.ts';

const silent = { out: () => undefined, err: () => undefined, environment: {} };

/** Every command, by the words that call it. */
export function commandPaths(
  command: Command = createProgram(silent),
  above: readonly string[] = [],
): string[][] {
  return command.commands.flatMap((child) => {
    const path = [...above, child.name()];
    return [path, ...commandPaths(child, path)];
  });
}

/** Those that do something themselves. */
export const leafPaths = (): string[][] => {
  const paths = commandPaths();
  return paths.filter(
    (path) =>
      !paths.some((other) => other.length > path.length && path.every((word, at) => other[at] === word)),
  );
};

/** The words of a command line, as a shell has them. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** The examples at the end of a help text, without `omi`. */
export const examplesOf = (help: string): string[] =>
  [...help.matchAll(/^ {2}\$ npx omi (.*)$/gm)].map(([, line = '']) => line);

/** Reads a command line to its end without doing what it asks for. @returns the options of the command */
export async function parse(line: string): Promise<Record<string, unknown>> {
  const program = createProgram(silent);
  let options = {};
  const disarm = (command: Command): void => {
    if (command.commands.length === 0) command.action(() => void (options = command.opts()));
    for (const child of command.commands) disarm(child);
  };
  disarm(program);
  await program.parseAsync(wordsOf(line), { from: 'user' });
  return options;
}
