import { type Command, Option } from 'commander';
import { defineCommand, type Register } from '../command.ts';
import { UsageError } from '../command-error.ts';
import { readLocalDescription } from '../deployment/local-description.ts';
import type { Session } from '../session.ts';
import { awsVariables, exportLines, localVariables } from './variables.ts';

const usage = `
In a shell:
  $ eval "$(npx omi env)"

The client secret is valid only on this local stack.
`;

const plainCommand = defineCommand({
  name: 'env',
  description: "Prints the local stack's addresses and a client's credentials as shell variables.",
  options: [new Option('--aws', 'also the variables with which AWS SDKs and the AWS CLI call the local AWS')],
  examples: ['env', 'env --aws', 'env --json'],
  run: printVariables,
});

/** For a stage in the cloud there is no secret to print: it is shown only once, when the client is made. */
function onlyLocal(_: Command, command: Command): void {
  for (const name of ['stage', 'region'])
    if (command.getOptionValueSourceWithGlobals(name) === 'cli')
      throw new UsageError(`omi env is only for the local stack: --${name} cannot be used with it.`);
}

export const envCommand: Register = (above, terminal) =>
  plainCommand(above, terminal).addHelpText('after', usage).hook('preAction', onlyLocal);

async function printVariables(session: Session, { aws }: { aws?: true }): Promise<void> {
  const stack = await readLocalDescription(session.environment);
  const variables = { ...localVariables(stack), ...(aws && awsVariables(stack)) };
  session.print(variables, exportLines(variables));
}
