import type { Command } from 'commander';
import { action, examples, type Register } from '../command.ts';
import { readLocalDescription } from '../deployment/local-description.ts';
import { UsageError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { awsVariables, exportLines, websiteVariables } from './variables.ts';

const usage = `
In a shell:
  $ eval "$(npx omi env)"

The client secret is valid only on this local stack.
`;

/** For a stage in the cloud there is no secret to print: it is shown only once, when the client is made. */
function onlyLocal(_: Command, command: Command): void {
  for (const name of ['stage', 'region'])
    if (command.getOptionValueSourceWithGlobals(name) === 'cli')
      throw new UsageError(`omi env is only for the local stack: --${name} cannot be used with it.`);
}

export const registerEnv: Register = (above, terminal) => {
  const printVariables = async (session: Session, { aws }: { aws?: true }): Promise<void> => {
    const stack = await readLocalDescription(terminal.environment);
    const variables = { ...websiteVariables(stack), ...(aws && awsVariables(stack)) };
    session.print(variables, exportLines(variables));
  };
  above
    .command('env')
    .description("Prints the local stack's addresses and a client's credentials as shell variables.")
    .option('--aws', 'also the variables with which AWS SDKs and the AWS CLI call the local AWS')
    .addHelpText('after', `${usage}${examples('env', 'env --aws', 'env --json')}`)
    .hook('preAction', onlyLocal)
    .action(action(terminal, printVariables));
};
