import { defineCommand } from '../command.ts';
import { exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { clientStoreOf } from './client-store.ts';
import { clientView, describeClients } from './describe-client.ts';

export const listClientsCommand = defineCommand<{ tenant: string }>({
  name: 'list',
  description: 'Lists the clients of a tenant.',
  ids: [tenantId],
  examples: [`client list ${exampleTenant}`],
  run: listClients,
});

async function listClients(session: Session, { tenant }: { tenant: string }): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, tenant);
  const clients = await clientStoreOf(deployment).ofTenant(tenant);
  session.print(clients.map(clientView), describeClients(clients));
}
