import { clientsOf, poolOf } from '../clients/pool-of.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { endTargets } from '../targets/end-targets.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { requireTenant } from './directory-of.ts';
import { removeUsers } from './remove-users.ts';
import { changeState } from './change-state.ts';

type Options = { tenant: string; yes?: true; wait: boolean };

/**
 * The order keeps anything from being created meanwhile: a suspended tenant gets no client, no code and no confirmation.
 * Devices are removed before the targets, so that their events may still be exported. Every step is idempotent, so an
 * interrupted command can be run again.
 */
export async function deleteTenant(session: Session, { tenant, yes, wait }: Options): Promise<void> {
  const deployment = await session.deployment();
  const before = await requireTenant(deployment, tenant);
  const question = `Delete the tenant ${before.name} (${tenant}) with its clients, devices and targets? This cannot be undone.`;
  await session.confirm(question, yes);
  if (!(await changeState(deployment, tenant, 'delete'))) session.note('The tenant was already deleted.');
  const clients = await deleteClients(session, deployment, tenant);
  const devices = await removeUsers(session, deployment, tenant);
  const { targets, complete } = await endTargets(session, deployment, tenant, wait);
  const profile = await requireTenant(deployment, tenant);
  if (!complete)
    session.note('A delivery stream is still there. Run the command again later, to finish the deletion.');
  session.print({ ...tenantView(profile), clients, devices, targets, complete }, describeTenant(profile));
}

async function deleteClients(session: Session, deployment: Deployment, tenantId: string): Promise<number> {
  const directory = clientsOf(deployment);
  const clients = await directory.ofTenant(tenantId);
  for (const client of clients) {
    // Before its item, by which a repeated command finds the client.
    if (deployment.userPoolId !== undefined) await poolOf(deployment).delete(client.clientId);
    await directory.remove(client);
    session.note(`client ${client.clientId} deleted`);
  }
  return clients.length;
}
