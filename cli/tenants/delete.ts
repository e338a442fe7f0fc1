import { Option } from 'commander';
import { clientStoreOf } from '../clients/client-store.ts';
import { cognitoClientOf } from '../clients/cognito-client.ts';
import { removeStreams } from '../clients/remove-streams.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { exampleTenant, tenantId } from '../ids.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { endTargets } from '../targets/end-export.ts';
import { changeState } from './change-state.ts';
import { removeContact } from './contact.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { profileStoreOf, requireTenant } from './profile-store.ts';
import { removeUsers } from './remove-users.ts';

type Options = { tenant: string; yes?: true; wait: boolean };

export const deleteTenantCommand = defineCommand<Options>({
  name: 'delete',
  description:
    'Deletes a tenant for good: its clients, its devices (with their events) and its targets with their delivery streams. ' +
    'Confirmations, enrolments and events expire, as docs/operations/tenants.md says. If the command is interrupted, run it again.',
  ids: [tenantId],
  options: [yesOption(), new Option('--no-wait', 'do not wait until the delivery streams are deleted')],
  examples: [`tenant delete ${exampleTenant} --yes`],
  run: deleteTenant,
});

/**
 * The order prevents that anything is created meanwhile: a suspended tenant gets no client, no code and no confirmation.
 * Devices are removed before the targets, so that their events may still be exported. Every step is idempotent, so an
 * interrupted command can be run again.
 */
async function deleteTenant(session: Session, { tenant, yes, wait }: Options): Promise<void> {
  const deployment = await session.deployment();
  const before = await requireTenant(deployment, tenant);
  const question = `Delete the tenant ${before.name} (${tenant}) with its clients, devices and targets? This cannot be undone.`;
  await session.confirm(question, yes);
  if (!(await changeState(deployment, tenant, 'delete'))) session.note('The tenant was already deleted.');
  const clients = await deleteClients(session, deployment, tenant);
  await profileStoreOf(deployment).deleteLogo(tenant);
  await removeContact(deployment, tenant);
  const devices = await removeUsers(session, deployment, tenant);
  const { targets, complete } = await endTargets(session, deployment, tenant, wait);
  const profile = await requireTenant(deployment, tenant);
  if (!complete)
    session.note('A delivery stream still exists. Run the command again later to finish the deletion.');
  session.print({ ...tenantView(profile), clients, devices, targets, complete }, describeTenant(profile));
}

async function deleteClients(session: Session, deployment: Deployment, tenant: string): Promise<number> {
  const store = clientStoreOf(deployment);
  const clients = await store.ofTenant(tenant);
  for (const client of clients) {
    // Before its item, by which a repeated command finds the client.
    if (deployment.userPoolId !== undefined) await cognitoClientOf(deployment).delete(client.clientId);
    await removeStreams(deployment, client);
    await store.remove(client);
    session.note(`client ${client.clientId} deleted`);
  }
  return clients.length;
}
