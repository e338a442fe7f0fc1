import type { ClientStore } from '../clients/client-store.ts';
import { clientsOf } from '../clients/pool-of.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { directoryOf, requireLiveTenant } from './directory-of.ts';
import { applySettings, type SettingsOptions } from './options.ts';
import type { Profile } from './profile-store.ts';

type Options = SettingsOptions & { tenant: string; name?: string };

const changedMeanwhile = (): CommandError =>
  new CommandError('Somebody else changed the tenant at the same time.', 'Run the command again.');

/** First the profile, then its copies: wherever it breaks off, the same command once more does what is left. */
export async function setTenant(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const before = await requireLiveTenant(deployment, options.tenant);
  const after: Profile = {
    ...before,
    name: options.name ?? before.name,
    settings: applySettings(before.settings, options),
  };
  if (!(await directoryOf(deployment).change(before, after.settings, options.name))) throw changedMeanwhile();
  const clients = await copyToClients(session, clientsOf(deployment), after);
  session.note('It counts within 5 minutes: so long does the API remember whom it has let in.');
  session.print({ ...tenantView(after), clients }, describeTenant(after));
}

/** @returns how many clients there are */
async function copyToClients(
  session: Session,
  directory: ClientStore,
  { tenantId, settings }: Profile,
): Promise<number> {
  const clients = await directory.ofTenant(tenantId);
  for (const [index, client] of clients.entries()) {
    const isCopied = await directory.copySettings(client, settings);
    // Gone since they were listed: nothing to copy to.
    if (!isCopied && (await directory.find(client.clientId))) throw changedMeanwhile();
    session.note(`client ${index + 1} of ${clients.length}: ${client.clientId}`);
  }
  return clients.length;
}
