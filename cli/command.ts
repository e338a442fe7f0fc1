import type { Command, Option } from 'commander';
import * as v from 'valibot';
import { addId, type Id, mergeIds, requireIds, uuid } from './ids.ts';
import { type GlobalOptions, Session, type Terminal } from './session.ts';

/** Adds a command, or a group of commands, to the one above. */
export type Register = (above: Command, terminal: Terminal) => Command;

/** Gives a command all but its name and its description. */
export type Complete = (command: Command, terminal: Terminal) => Command;

/** Complete command lines without `omi`, as the help shows them. Tests run each of them. */
type Examples = readonly [string, ...string[]];

type Named = { name: string; description: string };

type Definition<Options extends object> = {
  /** In their order as arguments. */
  ids?: readonly Id[];
  /** These come after `ids`. */
  optionalIds?: readonly Id[];
  options?: readonly Option[];
  examples: Examples;
  run: (session: Session, options: Options) => Promise<void>;
};

/** A command below `omi`. Its options and ids arrive in `run` parsed, by their names. */
export const topCommand =
  <Options extends object>(definition: Definition<Options>): Complete =>
  (command, terminal) => {
    const { ids = [], optionalIds = [], options = [], examples } = definition;
    command.addHelpText('after', exampleText(examples));
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

/** The same in a group. */
export const defineCommand = <Options extends object>({
  name,
  description,
  ...definition
}: Named & Definition<Options>): Register => below({ name, description }, topCommand(definition));

const below =
  ({ name, description }: Named, complete: Complete): Register =>
  (above, terminal) =>
    complete(above.command(name).description(description), terminal);

/** With the id of a tenant that was given by its name. */
async function withTenantId<Options extends object>(session: Session, options: Options): Promise<Options> {
  const { tenant } = options as { tenant?: unknown };
  if (typeof tenant !== 'string' || v.is(uuid, tenant)) return options;
  const { resolveTenant } = await import('./tenants/resolve-tenant.ts');
  return { ...options, tenant: await resolveTenant(await session.deployment(), tenant) };
}

async function runIn(session: Session, work: (session: Session) => Promise<void>): Promise<void> {
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

/** A group of commands below `omi`. */
export const topGroup =
  ({ examples }: { examples: Examples }, commands: readonly Register[]): Complete =>
  (group, terminal) => {
    group.addHelpText('after', exampleText(examples));
    for (const register of commands) register(group, terminal);
    return group;
  };

/** The same in a group. */
export const defineGroup = (
  { name, description, examples }: Named & { examples: Examples },
  commands: readonly Register[],
): Register => below({ name, description }, topGroup({ examples }, commands));

/** For the end of a help text. */
export const exampleText = (examples: Examples): string =>
  `\nExamples:\n${examples.map((line) => `  $ npx omi ${line}\n`).join('')}`;
