import { clientStoreOf, type ClientStore } from '../clients/client-store.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import type { TenantClient } from '../clients/tenant-client.ts';

export const changedMeanwhile = (): CommandError =>
  new CommandError('The tenant was changed at the same time.', 'Run the command again.');

/**
 * Copies a change of the profile to the items of the tenant's clients, which the API reads. It also completes an earlier
 * change that was interrupted.
 *
 * @param copy returns false if the profile changed, or the client is gone
 * @returns how many clients the tenant has
 */
export async function copyToClients(
  session: Session,
  deployment: Deployment,
  tenantId: string,
  copy: (store: ClientStore, client: TenantClient) => Promise<boolean>,
): Promise<number> {
  const store = clientStoreOf(deployment);
  const clients = await store.ofTenant(tenantId);
  for (const [index, client] of clients.entries()) {
    const isCopied = await copy(store, client);
    if (!isCopied && (await store.find(client.clientId))) throw changedMeanwhile();
    session.note(`client ${index + 1} of ${clients.length}: ${client.clientId}`);
  }
  session.note("Takes effect within 5 minutes, when the API's cached decisions expire.");
  return clients.length;
}
