import { type Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { type GlobalOptions, Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Adds its commands to the one above. */
export type Register = (above: Command, terminal: Terminal) => void;

/** What a command does. Its second parameter is its options, as its definition has them parsed. */
type Act = (session: Session, options: never) => Promise<void>;

/** Makes a command's action of what it does. */
export const action =
  (terminal: Terminal, act: Act) =>
  async (_: unknown, command: Command): Promise<void> => {
    const session = new Session(terminal, command.optsWithGlobals<GlobalOptions>());
    try {
      await act(session, command.opts<never>());
    } finally {
      await session.close();
    }
  };

/** For the end of a command's help. */
export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ npx omi ${line}\n`).join('')}`;

/** The option's value, or a refusal that says what was expected. */
function checked<Schema extends v.GenericSchema>(schema: Schema, expectation?: string) {
  return (text: string): v.InferOutput<Schema> => {
    const result = v.safeParse(schema, text);
    if (result.success) return result.output;
    throw new InvalidArgumentError(
      `${expectation ?? result.issues.map(({ message }) => message).join('; ')}.`,
    );
  };
}

/** An option whose value a schema decides on; `expectation` where the schema's own words are for programmers. */
export const checkedOption = (
  flags: string,
  description: string,
  schema: v.GenericSchema,
  expectation?: string,
): Option => new Option(flags, description).argParser(checked(schema, expectation));

/** The same for an option with several values, each of which counts once. */
export function listOption(
  flags: string,
  description: string,
  schema: v.GenericSchema,
  expectation?: string,
): Option {
  const check = checked(schema, expectation);
  return new Option(flags, description).argParser((text: string, before?: unknown[]) => [
    ...new Set([...(before ?? []), check(text)]),
  ]);
}

/** A whole number, as text. */
export const wholeNumber = v.pipe(
  v.string(),
  v.regex(/^\d{1,9}$/, 'expected a whole number'),
  v.transform(Number),
);
