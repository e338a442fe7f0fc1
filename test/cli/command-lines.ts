import { type Command } from 'commander';
import { createProgram, load } from '../../cli/program.ts';

const silent = { out: () => undefined, err: () => undefined, environment: {} };

/** The program with all that its commands load. */
export async function loadedProgram(): Promise<Command> {
  const program = createProgram(silent);
  for (const command of program.commands) await load(command, silent);
  return program;
}

const pathsBelow = (command: Command, above: readonly string[]): string[][] =>
  command.commands.flatMap((child) => {
    const path = [...above, child.name()];
    return [path, ...pathsBelow(child, path)];
  });

/** Every command, by the words that call it. */
export const commandPaths = async (): Promise<string[][]> => pathsBelow(await loadedProgram(), []);

/** Those that do something themselves. */
export const leafPaths = async (): Promise<string[][]> => {
  const paths = await commandPaths();
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
  program.hook('preSubcommand', (_, command) => {
    disarm(command);
  });
  await program.parseAsync(wordsOf(line), { from: 'user' });
  return options;
}
