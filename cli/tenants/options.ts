import { Option } from 'commander';
import * as v from 'valibot';
import { furtherDevicesPolicies } from '../../core/tenants/further-devices-policy.ts';
import {
  eventsPerSecond,
  evidenceInEventsModes,
  lifetimes,
  mostOpenPerDevice,
  numberMatchingModes,
  recoveryByModes,
  showVotesModes,
  type PushLimits,
  tenantSettings,
  type TenantSettings,
  testUsersModes,
  userVerificationModes,
} from '../../core/tenants/tenant.ts';
import { messageText, visibleText } from '../../core/kernel/text.ts';
import { UsageError } from '../command-error.ts';
import { checkedOption, numberOption } from '../options.ts';

export type SettingsOptions = Partial<Record<keyof PushLimits, number>> & {
  numberMatching?: TenantSettings['numberMatching'];
  /** False deletes the text. */
  genericText?: string | false;
  maxDevices?: number;
  furtherDevices?: TenantSettings['furtherDevices'];
  userVerification?: TenantSettings['userVerification'];
  recoveryBy?: TenantSettings['recoveryBy'];
  evidenceInEvents?: TenantSettings['evidenceInEvents'];
  showVotes?: TenantSettings['showVotes'];
  testUsers?: TenantSettings['testUsers'];
  longestLifetime?: number;
  openPerDevice?: number;
  eventsPerSecond?: number;
};

export const nameOption = (description: string): Option =>
  checkedOption('--name <name>', description, visibleText(128), { example: '"Example Bank"' });

/** The names are those of "Settings of a tenant" in docs/operations/tenants.md, and the limits those of the schema. */
export const settingsOptions = (): Option[] => [
  new Option('--number-matching <kind>', 'whether users repeat a number').choices(numberMatchingModes),
  checkedOption(
    '--generic-text <text>',
    'a text that lock screens show in place of the message',
    messageText,
    {
      example: '"Please open the app"',
    },
  ),
  numberOption('--max-devices <count>', 'devices of a user', { from: 1, to: 20, example: 5 }),
  new Option('--further-devices <rule>', "protects a user's devices from a stolen session").choices(
    furtherDevicesPolicies,
  ),
  new Option('--user-verification <mode>', 'whether devices verify their user with a passkey').choices(
    userVerificationModes,
  ),
  new Option('--recovery-by <one|two>', 'members of the help desk who must agree to a recovery').choices(
    recoveryByModes,
  ),
  new Option('--evidence-in-events <mode>', 'whether events of answers have the evidence').choices(
    evidenceInEventsModes,
  ),
  new Option(
    '--show-votes <mode>',
    'whether a member of a group sees how many have confirmed, and who',
  ).choices(showVotesModes),
  new Option(
    '--test-users <mode>',
    'whether there are users who answer by themselves, such as test+confirms@omi.test',
  ).choices(testUsersModes),
  numberOption('--longest-lifetime <seconds>', 'the longest time that a website may give users to answer', {
    from: lifetimes.shortest,
    to: lifetimes.longest,
    example: 3600,
  }),
  numberOption('--open-per-device <count>', 'confirmations that may be open on a device', {
    from: 1,
    to: mostOpenPerDevice,
    example: 5,
  }),
  numberOption('--events-per-second <count>', 'events that its platform may record in a second', {
    from: eventsPerSecond.least,
    to: eventsPerSecond.most,
    example: 2000,
  }),
  numberOption('--per-ten-minutes <count>', 'pushes to a user in 10 minutes', {
    from: 1,
    to: 1000,
    example: 5,
  }),
  numberOption('--per-day <count>', 'pushes to a user in 24 hours', { from: 1, to: 1000, example: 20 }),
  numberOption('--pause-after <count>', 'unsuccessful confirmations in a row before a pause', {
    from: 1,
    to: 100,
    example: 3,
  }),
  numberOption('--pause-seconds <seconds>', 'the first pause. Each further pause is twice as long', {
    from: 0,
    to: 86_400,
    example: 300,
  }),
  numberOption('--longest-pause-seconds <seconds>', 'the longest pause', {
    from: 0,
    to: 86_400,
    example: 3600,
  }),
  numberOption('--not-me-pause-seconds <seconds>', 'the pause after "not me"', {
    from: 0,
    to: 86_400,
    example: 1200,
  }),
];

const limitNames = [
  'perTenMinutes',
  'perDay',
  'pauseAfter',
  'pauseSeconds',
  'longestPauseSeconds',
  'notMePauseSeconds',
] as const satisfies readonly (keyof PushLimits)[];

/** The settings with the changes that the options ask for. */
export function applySettings(before: TenantSettings, options: SettingsOptions): TenantSettings {
  const { genericText, furtherDevices: rule, longestLifetime, openPerDevice, ...named } = options;
  const { numberMatching, maxDevices, userVerification, recoveryBy, evidenceInEvents } = named;
  const { showVotes, testUsers, eventsPerSecond: rate } = named;
  const limits = Object.fromEntries(
    limitNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const { genericPushText, ...others } = before;
  const text = genericText ?? genericPushText;
  const pushLimits = { ...before.pushLimits, ...limits };
  if (limits['pauseSeconds'] !== undefined || limits['longestPauseSeconds'] !== undefined)
    requireOrder(pushLimits);
  return v.parse(tenantSettings, {
    ...others,
    ...(text !== undefined && text !== false && { genericPushText: text }),
    ...(numberMatching && { numberMatching }),
    ...(maxDevices !== undefined && { maxDevices }),
    ...(rule && { furtherDevices: rule }),
    ...(userVerification && { userVerification }),
    ...(recoveryBy && { recoveryBy }),
    ...(evidenceInEvents && { evidenceInEvents }),
    ...(showVotes && { showVotes }),
    ...(testUsers && { testUsers }),
    ...(longestLifetime !== undefined && { longestLifetime }),
    ...(openPerDevice !== undefined && { openPerDevice }),
    ...(rate !== undefined && { eventsPerSecond: rate }),
    pushLimits,
  });
}

/** A first pause beyond the longest one would never be used in full. */
function requireOrder({ pauseSeconds, longestPauseSeconds }: PushLimits): void {
  if (pauseSeconds <= longestPauseSeconds) return;
  throw new UsageError(
    `The first pause would be longer than the longest pause: --pause-seconds is ${pauseSeconds}, but --longest-pause-seconds is ${longestPauseSeconds}.`,
  );
}
