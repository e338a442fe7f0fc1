import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { clientView, describeClients } from './describe-client.ts';
import { clientsOf } from './pool-of.ts';

export async function listClients(session: Session, { tenant }: { tenant: string }): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, tenant);
  const clients = await clientsOf(deployment).ofTenant(tenant);
  session.print(clients.map(clientView), describeClients(clients));
}
