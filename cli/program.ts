import { Command, Help, Option } from 'commander';
import * as v from 'valibot';
import manifest from '../package.json' with { type: 'json' };
import { registerClient } from './clients/commands.ts';
import { checkedOption, examples, type Register } from './command.ts';
import { registerDevice } from './devices/commands.ts';
import { registerDoctor } from './doctor/command.ts';
import { registerEnv } from './env/command.ts';
import { registerNotification } from './notifications/command.ts';
import { registerReplay } from './replays/command.ts';
import { registerSmoke } from './smoke/command.ts';
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
  registerSmoke,
  registerEnv,
];

const exitCodes =
  '\nExit codes: 0 done, 1 failed, 2 used wrongly. Results go to standard output, all else to standard error.\n';

/** What a stack of CloudFormation may be called, behind `omi-`. */
const stageName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));

/** Part of a host's name: nothing else may get there. */
const regionName = v.pipe(v.string(), v.regex(/^[a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}$/));

/** Commander's own says nothing of what must be there. */
const optionDescription = (option: Option): string =>
  `${new Help().optionDescription(option)}${option.mandatory ? ' (required)' : ''}`;

/** A variable that is empty counts as one that is not there; an option that is, in a script, is a name that is missing. */
function stageOption({ environment }: Terminal): Option {
  const option = checkedOption(
    '--stage <name>',
    'the deployment',
    stageName,
    'expected a name like production',
  );
  return (environment['OMI_STAGE'] === '' ? option : option.env('OMI_STAGE')).default('dev');
}

/** All commands, not yet run. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('omi')
    .description('Operates OMI: tenants and their clients, where their events go, and what is wrong.')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .configureHelp({ showGlobalOptions: true, helpWidth: 110, optionDescription })
    .showHelpAfterError('(--help says more)')
    .addOption(stageOption(terminal))
    .addOption(
      checkedOption(
        '--region <region>',
        'AWS region (default: AWS_REGION)',
        regionName,
        'expected a region like eu-central-1',
      ),
    )
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
