import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { action, checkedOption, examples, type Register, wholeNumber } from '../command.ts';
import { categoryOption, tenantOption } from '../options.ts';
import { policyFormats } from './policies/render.ts';
import { pauseTarget, resumeTarget } from './pause.ts';
import { printPolicies } from './policies/command.ts';
import { removeTarget } from './remove.ts';
import {
  bucketOption,
  externalIdOption,
  keyOption,
  registerTargetSet,
  streamArnOption,
} from './set-commands.ts';
import { showStatus } from './status.ts';
import { testTarget } from './test.ts';

const tenant = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';
const target = `${tenant} --category public`;

export const registerTarget: Register = (above, terminal) => {
  const group = above
    .command('target')
    .description("Targets: the streams and buckets that tenants' events go to, one for each category.")
    .addHelpText('after', examples('target status', `target test ${target}`));
  const named = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .addOption(tenantOption().makeOptionMandatory())
      .addOption(categoryOption().makeOptionMandatory());

  registerTargetSet(group, terminal);

  group
    .command('status')
    .description(
      'Shows targets: state, since when, why, who must act, counts, and the oldest event that waits.',
    )
    .addOption(tenantOption())
    .addOption(categoryOption())
    .addHelpText('after', examples('target status', `target status ${target} --json`))
    .action(action(terminal, showStatus));

  named(
    'test',
    'Has the service test the target, and says what is wrong. A test that passes opens a new target.',
  )
    .addOption(
      checkedOption(
        '--timeout <seconds>',
        'how long to wait for the outcome',
        v.pipe(wholeNumber, v.minValue(1), v.maxValue(3600)),
        'expected a whole number from 1 to 3600',
      ).default(300),
    )
    .option('--proof <text>', "for a bucket: what its owner read in the service's object there")
    .addHelpText('after', examples(`target test ${target}`, `target test ${target} --proof w8Xk2vQ9`))
    .action(action(terminal, testTarget));

  named('pause', 'Has events wait, for 14 days at most.')
    .addHelpText('after', examples(`target pause ${target}`))
    .action(action(terminal, pauseTarget));

  named('resume', 'Has events flow again, beginning with those that waited.')
    .addHelpText('after', examples(`target resume ${target}`))
    .action(action(terminal, resumeTarget));

  named('remove', 'Ends the target for good, and what the delivery role may do for it.')
    .option('--yes', 'without a question')
    .option('--no-wait', 'do not wait until the delivery stream is gone')
    .addHelpText('after', examples(`target remove ${target} --yes`))
    .action(action(terminal, removeTarget));

  registerPolicies(group, terminal);
};

const registerPolicies: Register = (above, terminal) => {
  above
    .command('policies')
    .description(
      'Prints what a tenant puts around its stream or bucket: of the target that is there, or of one to be.',
    )
    .addOption(tenantOption().makeOptionMandatory())
    .addOption(categoryOption())
    .addOption(new Option('--format <format>', 'what to print').choices([...policyFormats]).default('json'))
    .addOption(streamArnOption().conflicts('bucket'))
    .addOption(
      checkedOption(
        '--role-name <name>',
        'of the role in their account (default: omi-event-export)',
        v.pipe(v.string(), v.regex(/^[\w+=,.@-]{1,64}$/)),
        'expected the name of a role',
      ),
    )
    .addOption(externalIdOption())
    .option('--new-external-id', 'make an external id')
    .addOption(bucketOption())
    .addOption(keyOption())
    .addHelpText(
      'after',
      examples(
        `target policies ${target} --format cloudformation`,
        `target policies ${tenant} --stream-arn arn:aws:kinesis:eu-central-1:111122223333:stream/events --new-external-id`,
      ),
    )
    .action(action(terminal, printPolicies));
};
