import { Command, Help, Option } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { registerClient } from './clients/commands.ts';
import { examples, type Register } from './command.ts';
import { registerDevice } from './devices/commands.ts';
import { registerDoctor } from './doctor/command.ts';
import { registerNotification } from './notifications/command.ts';
import { registerReplay } from './replays/command.ts';
import { registerTarget } from './targets/commands.ts';
import { registerTenant } from './tenants/commands.ts';
import type { Terminal } from './terminal.ts';
import { registerUser } from './users/command.ts';

const registers: Register[] = [
  registerTenant,
  registerClient,
  registerTarget,
  registerReplay,
  registerDevice,
  registerNotification,
  registerUser,
  registerDoctor,
];

const exitCodes =
  '\nExit codes: 0 done, 1 failed, 2 used wrongly. Results go to standard output, all else to standard error.\n';

/** Commander's own says nothing of what must be there. */
const optionDescription = (option: Option): string =>
  `${new Help().optionDescription(option)}${option.mandatory ? ' (required)' : ''}`;

/** All commands, not yet run. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('omi')
    .description('Operates OMI: tenants and their clients, where their events go, and what is wrong.')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .configureHelp({ showGlobalOptions: true, helpWidth: 110, optionDescription })
    .showHelpAfterError('(--help says more)')
    .addOption(new Option('--stage <name>', 'the deployment').env('OMI_STAGE').default('dev'))
    .option('--region <region>', 'AWS region (default: AWS_REGION)')
    .addOption(new Option('--local', 'the local stack that "npm start" runs').conflicts('region'))
    .option('--json', 'the result as JSON')
    .addHelpText(
      'after',
      `${examples(
        'doctor --stage production --region eu-central-1',
        'tenant create --name "Example Bank"',
        'target status --json --local',
      )}${exitCodes}`,
    );
  for (const register of registers) register(program, terminal);
  return program;
}
