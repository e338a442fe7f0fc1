import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { furtherDevicesPolicies } from '../../core/tenants/further-devices-policy.ts';
import { type PushLimits, tenantSettings, type TenantSettings } from '../../core/tenants/tenant.ts';
import { messageText } from '../../core/kernel/text.ts';
import { checkedOption, wholeNumber } from '../command.ts';
import { UsageError } from '../command-error.ts';

export type SettingsOptions = Partial<Record<keyof PushLimits, number>> & {
  numberMatching?: TenantSettings['numberMatching'];
  /** False: none any more. */
  genericText?: string | false;
  maxDevices?: number;
  furtherDevices?: TenantSettings['furtherDevices'];
};

const between = (least: number, most: number) => v.pipe(wholeNumber, v.minValue(least), v.maxValue(most));

const numberOption = (flags: string, description: string, least: number, most: number): Option =>
  checkedOption(flags, description, between(least, most), `expected a whole number from ${least} to ${most}`);

/** Names as in docs/operations.md, "Settings of a tenant"; the bounds are those of the schema. */
export const addSettings = (command: Command): Command =>
  command
    .addOption(
      new Option('--number-matching <kind>', 'whether users repeat a number').choices([
        'off',
        'pick',
        'type',
      ]),
    )
    .addOption(checkedOption('--generic-text <text>', 'what lock screens show, not the message', messageText))
    .addOption(numberOption('--max-devices <count>', 'devices a user may have', 1, 20))
    .addOption(
      new Option('--further-devices <rule>', "what protects a user's devices from a stolen session").choices(
        furtherDevicesPolicies,
      ),
    )
    .addOption(numberOption('--per-ten-minutes <count>', 'pushes to a user in 10 minutes', 1, 1000))
    .addOption(numberOption('--per-day <count>', 'pushes to a user in 24 hours', 1, 1000))
    .addOption(numberOption('--pause-after <count>', 'bad ends in a row before a pause', 1, 100))
    .addOption(numberOption('--pause-seconds <seconds>', 'the first pause, doubled each time', 0, 86_400))
    .addOption(numberOption('--longest-pause-seconds <seconds>', 'the longest pause', 0, 86_400))
    .addOption(numberOption('--not-me-pause-seconds <seconds>', 'the pause after "not me"', 0, 86_400));

const limitNames = [
  'perTenMinutes',
  'perDay',
  'pauseAfter',
  'pauseSeconds',
  'longestPauseSeconds',
  'notMePauseSeconds',
] as const satisfies readonly (keyof PushLimits)[];

/** The settings with what the options change of them. */
export function applySettings(before: TenantSettings, options: SettingsOptions): TenantSettings {
  const { numberMatching, genericText, maxDevices, furtherDevices: rule } = options;
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
    pushLimits,
  });
}

/** The first pause is doubled up to the longest: one that begins beyond its end would never be kept. */
function requireOrder({ pauseSeconds, longestPauseSeconds }: PushLimits): void {
  if (pauseSeconds <= longestPauseSeconds) return;
  throw new UsageError(
    `The first pause would be longer than the longest: --pause-seconds is ${pauseSeconds}, --longest-pause-seconds ${longestPauseSeconds}.`,
  );
}
