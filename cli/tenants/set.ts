import { Option } from 'commander';
import { clientStoreOf } from '../clients/client-store.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { exampleTenant, tenantId } from '../ids.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { changeContact, contactOptions, type ContactOptions, contactView } from './contact.ts';
import { brandOptions, type BrandOptions, readBrand } from './brand-options.ts';
import { changedMeanwhile, copyToClients } from './copy-to-clients.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { applyLabels, labelOption, type LabelOptions, noLabelOption } from './labels.ts';
import { lacksRecovery, recoveryAdvice } from './lacks-recovery.ts';
import { applySettings, nameOption, settingsOptions, type SettingsOptions } from './options.ts';
import { type Profile, profileStoreOf, requireLiveTenant } from './profile-store.ts';
import { arrangeTestUsers, productionOption, type ProductionOption, requireConsent } from './test-users.ts';
import { warnOfNamesake } from './warn-of-namesake.ts';
import { scanPages } from '../deployment/table-client.ts';

/** How many devices of a tenant have no passkey. There is no index by tenant, so this scans the whole table once. */
async function devicesWithoutPasskey({ clients, tables }: Deployment, tenantId: string): Promise<number> {
  const request = {
    TableName: tables.devices,
    FilterExpression:
      'begins_with(pk, :tenant) AND begins_with(sk, :device) AND attribute_not_exists(device.passkey)',
    ProjectionExpression: 'pk',
    ExpressionAttributeValues: { ':tenant': `${tenantId}#`, ':device': 'device#' },
  };
  let devices = 0;
  for await (const { items } of scanPages(clients.dynamodb, request)) devices += items.length;
  return devices;
}

type Options = SettingsOptions &
  BrandOptions &
  ContactOptions &
  LabelOptions &
  ProductionOption & { tenant: string; name?: string; yes?: true };

export const setTenantCommand = defineCommand<Options>({
  name: 'set',
  description:
    'Changes settings of a tenant. They take effect within 5 minutes. If the command is interrupted, run it again. ' +
    'Without any setting it copies name and settings of the profile to every client.',
  ids: [tenantId],
  options: [
    nameOption('another name'),
    ...settingsOptions(),
    // After its opposite: on its own, commander would set the default to true.
    new Option('--no-generic-text', 'lock screens show the message'),
    ...brandOptions(),
    ...contactOptions(),
    labelOption(),
    noLabelOption(),
    yesOption(),
    productionOption(),
  ],
  examples: [
    `tenant set ${exampleTenant} --max-devices 3`,
    `tenant set ${exampleTenant} --generic-text "Please open the app"`,
    `tenant set ${exampleTenant} --brand-logo logo.svg --brand-color #0a7d4f --support-url https://bank.example/help`,
    `tenant set ${exampleTenant} --no-brand`,
    `tenant set ${exampleTenant} --label tier=gold region=eu --no-label trial`,
    `tenant set ${exampleTenant} --contact events@bank.example`,
    `tenant set ${exampleTenant} --contact https://bank.example/omi/notices`,
    `tenant set ${exampleTenant} --user-verification required --yes`,
    `tenant set ${exampleTenant} --test-users on`,
  ],
  run: setTenant,
});

/** First the profile, then its copies: after an interruption, the same command does the rest. */
async function setTenant(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  requireConsent(deployment, options);
  const before = await requireLiveTenant(deployment, options.tenant);
  const { brand, logo } = await readBrand(before.brand, options);
  const after: Profile = {
    ...before,
    brand: brand === undefined ? before.brand : (brand ?? undefined),
    name: options.name ?? before.name,
    labels: applyLabels(before.labels ?? {}, options),
    settings: applySettings(before.settings, options),
  };
  const { settings } = after;
  const unverifiable = await confirmRequirement(session, deployment, { before, after, yes: options.yes });
  const { contact, secret } = await changeContact(deployment, before.tenantId, options);
  const profiles = profileStoreOf(deployment);
  // A profile never names a logo that is not there.
  if (logo) await profiles.putLogo(after.tenantId, logo);
  if (
    !(await profiles.change(before, {
      settings,
      name: options.name,
      brand,
      labels: options.label && after.labels,
    }))
  )
    throw changedMeanwhile();
  if (brand === null) await profiles.deleteLogo(after.tenantId);
  if (after.name !== before.name) await warnOfNamesake(session, profiles, after);
  if (options.testUsers) await arrangeTestUsers(deployment, after);
  const clients = await copyToClients(
    session,
    deployment,
    after.tenantId,
    async (store, client) => await store.copyProfile(client, after),
  );
  if (lacksRecovery(after, await clientStoreOf(deployment).ofTenant(after.tenantId)))
    session.note(
      'Warning: no client of the tenant has the scope for recovery, so users who lose or remove every device can enrol no ' +
        `other. ${recoveryAdvice}`,
    );
  const view = {
    ...tenantView(after),
    ...(contact && { contact: contactView(contact) }),
    ...(secret !== undefined && { contactSecret: secret }),
    clients,
    ...(unverifiable !== undefined && { devicesWithoutPasskey: unverifiable }),
  };
  session.print(view, describeTenant(after, { contact, ...(secret !== undefined && { secret }) }));
}

/**
 * Says how many devices can no longer confirm, and asks.
 *
 * @returns undefined if the change does not require user verification anew
 */
async function confirmRequirement(
  session: Session,
  deployment: Deployment,
  { before, after, yes }: { before: Profile; after: Profile; yes: true | undefined },
): Promise<number | undefined> {
  const isRequired = ({ settings }: Profile): boolean => settings.userVerification === 'required';
  if (!isRequired(after) || isRequired(before)) return undefined;
  const count = await devicesWithoutPasskey(deployment, after.tenantId);
  session.note(
    `${count} ${count === 1 ? 'device has' : 'devices have'} no passkey and can no longer confirm. Their users must enrol again.`,
  );
  await session.confirm(`Require user verification of ${after.name}?`, yes);
  return count;
}
