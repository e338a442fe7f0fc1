import { Option } from 'commander';
import { defineCommand } from '../command.ts';
import { exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { changedMeanwhile, copyToClients } from './copy-to-clients.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { applySettings, nameOption, settingsOptions, type SettingsOptions } from './options.ts';
import { type Profile, profileStoreOf, requireLiveTenant } from './profile-store.ts';

type Options = SettingsOptions & { tenant: string; name?: string };

export const setTenantCommand = defineCommand<Options>({
  name: 'set',
  description:
    'Changes settings of a tenant. They take effect within 5 minutes. If the command is interrupted, run it again. ' +
    'Without any setting it copies the settings of the profile to every client.',
  ids: [tenantId],
  options: [
    nameOption('another name'),
    ...settingsOptions(),
    // After its opposite: on its own, commander would set the default to true.
    new Option('--no-generic-text', 'lock screens show the message'),
  ],
  examples: [
    `tenant set ${exampleTenant} --max-devices 3`,
    `tenant set ${exampleTenant} --generic-text "Please open the app"`,
  ],
  run: setTenant,
});

/** First the profile, then its copies: after an interruption, the same command does the rest. */
async function setTenant(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const before = await requireLiveTenant(deployment, options.tenant);
  const after: Profile = {
    ...before,
    name: options.name ?? before.name,
    settings: applySettings(before.settings, options),
  };
  const { settings } = after;
  if (!(await profileStoreOf(deployment).change(before, settings, options.name))) throw changedMeanwhile();
  const clients = await copyToClients(
    session,
    deployment,
    after.tenantId,
    async (store, client) => await store.copySettings(client, settings),
  );
  session.print({ ...tenantView(after), clients }, describeTenant(after));
}
