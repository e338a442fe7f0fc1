import { Option } from 'commander';
import * as v from 'valibot';
import { topCommand } from '../command.ts';
import { clientIdExpectation, clientIdText } from '../ids.ts';
import { checkedOption, numberOption } from '../options.ts';
import { externalIdOption, roleArnOption } from '../targets/external-ids.ts';
import { streamArnOption } from '../targets/set-stream.ts';
import { runSmoke } from './run-smoke.ts';

const httpUrl = v.pipe(v.string(), v.url(), v.regex(/^https?:/));

export const smokeCommand = topCommand({
  options: [
    numberOption('--timeout <seconds>', 'time limit of all steps, without the removal', {
      from: 1,
      example: 900,
    }).default(900),
    streamArnOption('an existing stream for the events (default: a new one in this account)'),
    roleArnOption('with --stream-arn: the role that may write to the stream'),
    externalIdOption('with --stream-arn: the external id of the role. No tenant may use it'),
    new Option(
      '--token-command <command>',
      'for your own issuer: prints an access token with the scopes in OMI_SCOPE, for the tenant in OMI_TENANT',
    ),
    checkedOption(
      '--client-id <id>',
      'with --token-command: the client id in its tokens',
      clientIdText,
      clientIdExpectation,
    ),
    checkedOption(
      '--token-url <url>',
      'where tokens are issued (default: the output of the stack)',
      httpUrl,
      {
        expected: 'a URL',
        example: 'https://login.example.com/oauth2/token',
      },
    ),
  ],
  examples: [
    'smoke --stage production --region eu-central-1',
    'smoke --local --json',
    'smoke --stream-arn arn:aws:kinesis:eu-central-1:111122223333:stream/smoke --role-arn arn:aws:iam::111122223333:role/smoke --external-id k7Qm2xV9sLr4tWp8',
    'smoke --token-command "./get-token.sh" --client-id smoke-tests',
  ],
  run: runSmoke,
});
