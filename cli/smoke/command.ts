import { Option } from 'commander';
import * as v from 'valibot';
import { destination } from '../../core/export/targets/target.ts';
import { action, checkedOption, examples, type Register, wholeNumber } from '../command.ts';
import { clientId } from '../options.ts';
import { runSmoke } from './run-smoke.ts';

const [{ entries: stream }] = destination.options;

const httpUrl = v.pipe(v.string(), v.url(), v.regex(/^https?:/));

const given =
  '--stream-arn arn:aws:kinesis:eu-central-1:111122223333:stream/smoke --role-arn arn:aws:iam::111122223333:role/smoke --external-id k7Qm2xV9sLr4tWp8';

export const registerSmoke: Register = (above, terminal) => {
  above
    .command('smoke')
    .description(
      'Tests a deployed stage from outside. Creates a tenant, expects 401 and 403, enrols a simulated phone, confirms, exports events ' +
        'to a stream, and replays them in more than 20 steps. Removes what it created, also if it fails or is interrupted. The ' +
        'push reaches nobody: the provider refuses its token. Takes some minutes. Exit code 0 only if every step passed.',
    )
    .addOption(
      checkedOption(
        '--timeout <seconds>',
        'time limit of all steps, without the removal',
        v.pipe(wholeNumber, v.minValue(1)),
        'expected a whole number above 0',
      ).default(900),
    )
    .addOption(
      checkedOption(
        '--stream-arn <arn>',
        'a stream to export to (default: a new one in this account)',
        stream.streamArn,
        'expected the ARN of a stream',
      ),
    )
    .addOption(
      checkedOption(
        '--role-arn <arn>',
        'with --stream-arn: the role that may write into it',
        stream.roleArn,
        'expected the ARN of a role',
      ),
    )
    .addOption(
      checkedOption(
        '--external-id <id>',
        'with --stream-arn: the external id that the role asks for, used by no tenant',
        stream.externalId,
        'expected 16 to 1224 characters of A-Z a-z 0-9 _ + = , . @ : / -',
      ),
    )
    .addOption(
      new Option(
        '--token-command <command>',
        'with an issuer of your own: prints an access token with the scopes in OMI_SCOPE, for the tenant in OMI_TENANT',
      ),
    )
    .addOption(
      checkedOption(
        '--client-id <id>',
        'with --token-command: the client id that its tokens carry',
        clientId,
        'expected the id of a client, 1 to 512 ASCII characters',
      ),
    )
    .addOption(
      checkedOption(
        '--token-url <url>',
        'where tokens are issued (default: the output of the stack)',
        httpUrl,
        'expected a URL',
      ),
    )
    .addHelpText(
      'after',
      examples(
        'smoke --stage production --region eu-central-1',
        'smoke --local --json',
        `smoke ${given}`,
        'smoke --token-command "./get-token.sh" --client-id smoke-tests',
      ),
    )
    .action(action(terminal, runSmoke));
};
