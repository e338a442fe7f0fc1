import { clientsOf } from '../clients/pool-of.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { requireLiveTenant } from './directory-of.ts';
import type { Profile } from './profile-store.ts';
import { changeState } from './change-state.ts';

type Options = { tenant: string };

/** Blocks the tenant's devices at once, and its clients within 5 minutes. The export continues. */
export const suspendTenant = async (session: Session, options: Options): Promise<void> =>
  await changeTenant(session, options, 'suspend');

/** Ends the suspension. */
export const resumeTenant = async (session: Session, options: Options): Promise<void> =>
  await changeTenant(session, options, 'resume');

async function changeTenant(
  session: Session,
  { tenant }: Options,
  name: 'suspend' | 'resume',
): Promise<void> {
  const deployment = await session.deployment();
  await requireLiveTenant(deployment, tenant);
  if (!(await changeState(deployment, tenant, name)))
    session.note(`The tenant is already ${name === 'suspend' ? 'suspended' : 'active'}.`);
  const profile = await requireLiveTenant(deployment, tenant);
  const clients = await copyToClients(deployment, profile);
  session.note("Takes effect for websites within 5 minutes, when the API's cached decisions expire.");
  session.print({ ...tenantView(profile), clients }, describeTenant(profile));
}

/** Also completes a change that was interrupted. @returns how many clients the tenant has */
async function copyToClients(deployment: Deployment, profile: Profile): Promise<number> {
  const directory = clientsOf(deployment);
  const clients = await directory.ofTenant(profile.tenantId);
  for (const client of clients) {
    if (await directory.copySuspension(client, profile.suspendedAt)) continue;
    if (await directory.find(client.clientId))
      throw new CommandError('Somebody else changed the tenant at the same time.', 'Run the command again.');
  }
  return clients.length;
}
