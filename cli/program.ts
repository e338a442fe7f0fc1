import { Command, CommanderError, Help, Option } from 'commander';
import * as v from 'valibot';
import manifest from '../package.json' with { type: 'json' };
import { exampleText, type Complete } from './command.ts';
import { UsageError } from './command-error.ts';
import { checkedOption, regionName } from './options.ts';
import type { Terminal } from './session.ts';

/** The commands below `omi`. Each loads its modules only when it is called. */
const commands: Readonly<Record<string, { description: string; load: () => Promise<Complete> }>> = {
  tenant: {
    description: 'Tenants: the customers whose websites use the service.',
    load: async () => (await import('./tenants/commands.ts')).tenantCommands,
  },
  client: {
    description: "Clients: the credentials with which a tenant's websites get their access tokens.",
    load: async () => (await import('./clients/commands.ts')).clientCommands,
  },
  target: {
    description: "Targets: where the tenants' events go, one for each category.",
    load: async () => (await import('./targets/commands.ts')).targetCommands,
  },
  replay: {
    description:
      'Sends events to their target again, with the same event ids. The range is that of the times of acceptance, at most ' +
      '14 days ago. The replay continues if this command ends.',
    load: async () => (await import('./replays/command.ts')).replayCommand,
  },
  export: {
    description:
      'Writes the events that were accepted on a day to a file, including those that no target received. The file has the form of an ' +
      'object in a bucket: JSON lines. Reading them costs capacity of the events table, and sends nothing to the tenant.',
    load: async () => (await import('./events/export.ts')).exportCommand,
  },
  ledger: {
    description:
      'Shows how many events of a tenant were accepted in each hour, received by a target or not, with a digest of their ' +
      'ids. Tenants see the same in their API. The ledger goes back 14 days.',
    load: async () => (await import('./ledger/command.ts')).ledgerCommand,
  },
  log: {
    description: 'The log of accepted events, which nobody can rewrite unseen.',
    load: async () => (await import('./log/commands.ts')).logCommands,
  },
  signal: {
    description: 'Streams of signals, which their receivers make and steer.',
    load: async () => (await import('./signals/commands.ts')).signalCommands,
  },
  device: {
    description: "Devices: what a tenant's users confirm with.",
    load: async () => (await import('./devices/commands.ts')).deviceCommands,
  },
  confirmation: {
    description: 'Confirmations: the state of one. The commands never show messages and nonces.',
    load: async () => (await import('./confirmations/show.ts')).confirmationCommands,
  },
  audit: {
    description:
      'Proves from files alone who confirmed what, when and on which device. It asks nobody: no network, no AWS. If a check ' +
      'fails, the command names it, and the exit code is 1.',
    load: async () => (await import('./audit/command.ts')).auditCommand,
  },
  user: {
    description: "Users of the tenants' websites.",
    load: async () => (await import('./users/commands.ts')).userCommands,
  },
  init: {
    description:
      'Makes a folder with an app of the CDK that deploys OMI: cdk.json with the settings of your stages, bin/app.ts, and a README. ' +
      'Installs and deploys nothing.',
    load: async () => (await import('./init/command.ts')).initCommand,
  },
  preflight: {
    description:
      'Checks whether the account and the region can take a stage, before its first deployment. Reads cdk.json, and changes nothing. Exit code 1 if a check failed.',
    load: async () => (await import('./preflight/command.ts')).preflightCommand,
  },
  doctor: {
    description:
      'Checks the whole deployment, and says what is wrong and how to fix it. Exit code 1 if a check failed.',
    load: async () => (await import('./doctor/command.ts')).doctorCommand,
  },
  smoke: {
    description:
      'Tests a deployed stage from outside. Creates a tenant, expects 401 and 403, enrols a simulated phone, confirms, exports events ' +
      'to a stream, and replays them in more than 20 steps. Removes what it created, even if it fails or is interrupted. The ' +
      'push reaches nobody: the provider rejects its token. It takes some minutes. Exit code 0 only if every step passed.',
    load: async () => (await import('./smoke/command.ts')).smokeCommand,
  },
  backup: {
    description:
      'Writes what the backups of the tables lack to a bucket of yours: the clients of the user pool, the key of web pushes, and ' +
      'the settings. "omi restore --from" puts them back. Run it each day, and after each new client.',
    load: async () => (await import('./backup/command.ts')).backupCommand,
  },
  restore: {
    description:
      'Brings tables back as they were at a moment, from the backups that AWS keeps for 35 days: as new tables, which the stage uses ' +
      'after the next deployment. What was written since the moment is lost. The tables that are replaced take no more calls. ' +
      'What was open at the moment is ended, so that nothing is answered or used twice. ' +
      'Logs of events go on under another name. ' +
      'Run the same command again after the deployment: it sends events again that the exports may lack, and completes the logs. If it is interrupted, run it again. ' +
      'With --from it also brings back what the backups of the tables lack, and without --at only that.',
    load: async () => (await import('./restore/command.ts')).restoreCommand,
  },
  demo: {
    description: 'The demo bank of a stage, which "cdk deploy -c demo=true" creates.',
    load: async () => (await import('./demo/commands.ts')).demoCommands,
  },
  trace: {
    description:
      'Finds a call by the traceId of its answer: prints what the local stack logged of it or, for a stage in the cloud, the ' +
      'query for CloudWatch Logs Insights.',
    load: async () => (await import('./trace/command.ts')).traceCommand,
  },
  env: {
    description: "Prints the local stack's addresses and a client's credentials as shell variables.",
    load: async () => (await import('./env/command.ts')).envCommand,
  },
};

/** Scripts may rely on these; the text below and docs/cli.md name them. */
const exitCodes = { done: 0, failed: 1, usedWrongly: 2 } as const;

const exitCodeText =
  '\nExit codes: 0 done, 1 failed, 2 used wrongly. The result goes to standard output, everything else to standard error.\n';

/** What may follow `omi-` in the name of a CloudFormation stack. */
const stageName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));

/** Commander's own text does not name the required options. */
const optionDescription = (option: Option): string =>
  `${new Help().optionDescription(option)}${option.mandatory ? ' (required)' : ''}`;

/** An empty variable counts as missing. An empty option is an error: in a script, it is a variable without a value. */
function stageOption({ environment }: Terminal): Option {
  const option = checkedOption('--stage <name>', 'the deployment', stageName, {
    expected: 'the name of a stage, 1 to 64 characters of A-Z a-z 0-9 -',
    example: 'production',
  });
  return (environment['OMI_STAGE'] === '' ? option : option.env('OMI_STAGE')).default('dev');
}

/** Completes a command below `omi`, whose name and description are already there. */
export async function load(command: Command, terminal: Terminal): Promise<void> {
  const complete = await commands[command.name()]?.load();
  complete?.(command, terminal);
}

/** The program `omi`. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('omi')
    .description(
      'Operates OMI: tenants, their clients, the export of their events, and checks of a deployment.',
    )
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .configureHelp({ showGlobalOptions: true, helpWidth: 110, optionDescription })
    .showHelpAfterError('(--help says more)')
    .addOption(stageOption(terminal))
    .addOption(
      // It becomes a part of a host name, so nothing else may get there.
      checkedOption('--region <region>', 'AWS region (default: AWS_REGION)', regionName, {
        expected: 'an AWS region',
        example: 'eu-central-1',
      }),
    )
    .addOption(new Option('--local', 'the local stack that "npm start" runs').conflicts('region'))
    .option('--json', 'the result as JSON')
    .addHelpText(
      'after',
      `${exampleText([
        'doctor --stage production --region eu-central-1',
        'tenant create --name "Example Bank"',
        'target status --json --local',
      ])}${exitCodeText}`,
    );
  for (const [name, { description }] of Object.entries(commands))
    program.command(name).description(description);
  return program.hook('preSubcommand', async (_, command) => {
    await load(command, terminal);
  });
}

/** There are no options of one hyphen but `-h` and `-V`, and a traceId or nonce in base64url may begin with one. */
const isUnknownShort = ({ code, message }: CommanderError): boolean =>
  code === 'commander.unknownOption' && /'-[^-]/.test(message);

const hyphenHint =
  'An id that begins with a hyphen comes last, behind "--": omi trace --json -- -DTKQ7XYa380L0I=';

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
    // Commander has printed its own errors.
    if (error instanceof CommanderError) {
      if (isUnknownShort(error)) terminal.err(`${hyphenHint}\n`);
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usedWrongly;
    }
    const { describeError } = await import('./describe-error.ts');
    terminal.err(`${describeError(error)}\n`);
    return error instanceof UsageError ? exitCodes.usedWrongly : exitCodes.failed;
  }
}
