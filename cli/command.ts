import type { Command, Option } from 'commander';
import * as v from 'valibot';
import { addId, type Id, mergeIds, requireIds, uuid } from './ids.ts';
import { type GlobalOptions, Session, type Terminal } from './session.ts';
import { resolveTenant } from './tenants/resolve-tenant.ts';

/** Adds a command, or a group of commands, to the one above. */
export type Register = (above: Command, terminal: Terminal) => Command;

/** Complete command lines without `omi`, as the help shows them. Tests run each of them. */
type Examples = readonly [string, ...string[]];

type Definition<Options extends object> = {
  name: string;
  description: string;
  /** In their order as arguments. */
  ids?: readonly Id[];
  /** These come after `ids`. */
  optionalIds?: readonly Id[];
  options?: readonly Option[];
  examples: Examples;
  run: (session: Session, options: Options) => Promise<void>;
};

/** A command. Its options and ids arrive in `run` parsed, by their names. */
export const defineCommand =
  <Options extends object>(definition: Definition<Options>): Register =>
  (above, terminal) => {
    const { name, description, ids = [], optionalIds = [], options = [], examples } = definition;
    const command = above.command(name).description(description).addHelpText('after', exampleText(examples));
    for (const id of ids) addId(command, id, true);
    for (const id of optionalIds) addId(command, id, false);
    for (const option of options) command.addOption(option);
    command.hook('preAction', () => {
      mergeIds(command);
      requireIds(command, ids, examples[0]);
    });
    return command.action(async () => {
      await runIn(new Session(terminal, command.optsWithGlobals<GlobalOptions>()), async (session) => {
        await definition.run(session, await withTenantId(session, command.opts<Options>()));
      });
    });
  };

/** With the id of a tenant that was given by its name. */
async function withTenantId<Options extends object>(session: Session, options: Options): Promise<Options> {
  const { tenant } = options as { tenant?: unknown };
  if (typeof tenant !== 'string' || v.is(uuid, tenant)) return options;
  return { ...options, tenant: await resolveTenant(await session.deployment(), tenant) };
}

async function runIn(session: Session, work: (session: Session) => Promise<void>): Promise<void> {
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

/** A group of commands. */
export const defineGroup =
  (
    { name, description, examples }: { name: string; description: string; examples: Examples },
    commands: readonly Register[],
  ): Register =>
  (above, terminal) => {
    const group = above.command(name).description(description).addHelpText('after', exampleText(examples));
    for (const register of commands) register(group, terminal);
    return group;
  };

/** For the end of a help text. */
export const exampleText = (examples: Examples): string =>
  `\nExamples:\n${examples.map((line) => `  $ npx omi ${line}\n`).join('')}`;
