import { Option } from 'commander';
import { audit, type Audit, auditGroup, type GroupAudit, type Statement } from '#consumer';
import { CommandError, UsageError } from '../command-error.ts';
import { topCommand } from '../command.ts';
import type { Session } from '../session.ts';
import { fields } from '../text-table.ts';
import { eventsOf, jsonOf, keysOf, textOf, textOrFile } from './files.ts';

type Options = {
  confirmation?: string;
  group?: string;
  members?: string[];
  message: string;
  keys: string;
  details?: string;
  nonce?: string;
  baseUrl?: string[];
  events?: string[];
  testUsers?: true;
};

export const auditCommand = topCommand<Options>({
  options: [
    new Option(
      '--confirmation <file>',
      "the final confirmation that the website kept, a callback's body, or an exported event with evidence",
    ),
    new Option('--group <file>', "the final group that the website kept, or a callback's body").conflicts([
      'confirmation',
      'events',
    ]),
    new Option('--members <user...>', 'all members of the group, if a vote is missing in the file'),
    new Option(
      '--message <text>',
      'the message that the user saw, or @ and the file that has it',
    ).makeOptionMandatory(),
    new Option('--keys <file>', 'what GET /.well-known/omi-keys answers').makeOptionMandatory(),
    new Option('--details <file>', 'the authorization details, if there were any'),
    new Option('--nonce <nonce>', 'the nonce of the confirmation, if the file does not have it'),
    new Option(
      '--base-url <url...>',
      "the service's base URL, and former ones (default: the one that the files name)",
    ),
    new Option(
      '--events <path...>',
      'exported events as JSON lines, files or folders: at least those of the day of the answer',
    ),
    new Option('--test-users', 'accept users that exist only for tests'),
  ],
  examples: [
    'audit --confirmation payment.json --message @message.txt --keys omi-keys.json',
    'audit --group order.json --message @order.txt --keys omi-keys.json',
    'audit --confirmation transfer.json --message @transfer.txt --keys omi-keys.json --details details.json --events exported/ --base-url https://omi.example.com',
  ],
  run: auditFiles,
});

async function auditFiles(session: Session, options: Options): Promise<void> {
  const { confirmation, group, members, nonce, baseUrl: baseUrls, testUsers } = options;
  if (confirmation === undefined && group === undefined)
    throw new UsageError('Nothing to prove: name a file as --confirmation or as --group.');
  const asked = {
    message: await textOrFile(options.message),
    keys: await keysOf(options.keys),
    details: options.details === undefined ? undefined : await textOf(options.details),
    ...{ nonce, baseUrls, testUsers },
  };
  const result =
    group === undefined
      ? await audit({
          ...asked,
          confirmation: await jsonOf(confirmation ?? ''),
          events: options.events && eventsOf(options.events),
        })
      : await auditGroup({ ...asked, group: await jsonOf(group), members });
  session.print(result, 'steps' in result ? describe(result) : describeGroup(result));
  if (!result.proved) throw new CommandError(`Not proved (${result.failure.code}): ${result.failure.text}.`);
}

function describe(result: Audit): string {
  const steps = result.steps.map(({ text }) => `proved: ${text}\n`).join('');
  return result.proved ? `${steps}\n${fields(summaryOf(result.statement))}` : steps;
}

function summaryOf({ context, device, ...statement }: Statement) {
  const { tenantId, userId, decision, message, details, answeredAt, userVerified } = statement;
  const { requester, purpose, requestedFrom } = context;
  return {
    ...{ tenant: tenantId, user: userId, decision, message, details },
    'answered at': answeredAt,
    'user verified': userVerified ? 'by the enrolled passkey' : 'no',
    'asked by': requester && `${requester.tenant} (${requester.client})`,
    purpose,
    'asked from':
      requestedFrom &&
      [requestedFrom.browser, requestedFrom.place, requestedFrom.ip].filter(Boolean).join(' · '),
    device: device.deviceId,
    'its key': device.jkt,
    enrolled: `${device.enrolledAt}, ${device.platform}, by ${device.client}, allowed by: ${device.enrolledBy}`,
  };
}

function describeGroup(result: GroupAudit): string {
  if (!result.proved) return '';
  const { tenantId, message, details, required, members, confirmedBy } = result.statement;
  return fields({
    ...{ tenant: tenantId, message, details, members: members.join(', '), 'had to confirm': required },
    ...Object.fromEntries(
      confirmedBy.map(({ userId, deviceId, answeredAt, userVerified }) => [
        `confirmed by ${userId}`,
        `${answeredAt} on device ${deviceId}${userVerified ? ', verified by the enrolled passkey' : ''}`,
      ]),
    ),
  });
}
