import { Command, CommanderError, Help, Option } from 'commander';
import * as v from 'valibot';
import manifest from '../package.json' with { type: 'json' };
import { auditCommand } from './audit/command.ts';
import { clientCommands } from './clients/commands.ts';
import { exampleText, type Register } from './command.ts';
import { UsageError } from './command-error.ts';
import { describeError } from './describe-error.ts';
import { demoCommands } from './demo/commands.ts';
import { deviceCommands } from './devices/commands.ts';
import { doctorCommand } from './doctor/command.ts';
import { envCommand } from './env/command.ts';
import { exportCommand } from './events/export.ts';
import { ledgerCommand } from './ledger/command.ts';
import { logCommands } from './log/commands.ts';
import { notificationCommands } from './notifications/show.ts';
import { checkedOption, regionName } from './options.ts';
import { preflightCommand } from './preflight/command.ts';
import { replayCommand } from './replays/command.ts';
import { restoreCommand } from './restore/command.ts';
import type { Terminal } from './session.ts';
import { signalCommands } from './signals/commands.ts';
import { smokeCommand } from './smoke/command.ts';
import { targetCommands } from './targets/commands.ts';
import { tenantCommands } from './tenants/commands.ts';
import { traceCommand } from './trace/command.ts';
import { userCommands } from './users/commands.ts';

const commands: readonly Register[] = [
  tenantCommands,
  clientCommands,
  targetCommands,
  replayCommand,
  exportCommand,
  ledgerCommand,
  logCommands,
  signalCommands,
  deviceCommands,
  notificationCommands,
  auditCommand,
  userCommands,
  preflightCommand,
  doctorCommand,
  smokeCommand,
  restoreCommand,
  demoCommands,
  traceCommand,
  envCommand,
];

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

/** The program `omi` with all commands. */
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
  for (const register of commands) register(program, terminal);
  return program;
}

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
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usedWrongly;
    terminal.err(`${describeError(error)}\n`);
    return error instanceof UsageError ? exitCodes.usedWrongly : exitCodes.failed;
  }
}
