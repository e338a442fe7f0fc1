import type { NumberMatchingMode } from '../../core/tenants/tenant.ts';
import { routeScopes } from '../../lambdas/routes.ts';
import type { ClientUse } from '../../pages/bank/lambda/connection.ts';
import { clientStoreOf } from '../clients/client-store.ts';
import { cognitoClientOf, type Credentials } from '../clients/cognito-client.ts';
import { makeClient } from '../clients/make-client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import type { StoredProfile } from '../tenants/profile-store.ts';
import type { TenantClient } from '../clients/tenant-client.ts';

const definitions: Record<ClientUse, { name: string; numberMatching?: NumberMatchingMode }> = {
  bank: { name: 'demo-bank' },
  limits: { name: 'demo-bank-limits', numberMatching: 'pick' },
};

/** The bank records no events itself. */
const scopes = routeScopes.filter((scope) => scope.startsWith('credential:'));

type Wanted = { deployment: Deployment; profile: StoredProfile; use: ClientUse };

const clientsNamed = async ({ deployment, profile, use }: Wanted): Promise<TenantClient[]> =>
  (await clientStoreOf(deployment).ofTenant(profile.tenantId)).filter(
    ({ name }) => name === definitions[use].name,
  );

/** The known client if it still exists, else a new one. */
export async function ensureClient(
  session: Session,
  wanted: Wanted,
  known: Credentials | undefined,
): Promise<Credentials> {
  const { deployment, profile, use } = wanted;
  const existing = await clientsNamed(wanted);
  if (known && existing.some(({ clientId }) => clientId === known.clientId)) return known;
  const named = { tenantId: profile.tenantId, scopes, ...definitions[use] };
  const { clientId, clientSecret } = await makeClient(deployment, profile, named);
  session.note(`client ${clientId} (${named.name}) created`);
  return { clientId, clientSecret };
}

/** Deletes the clients of the same name. Nobody knows their secrets any more. */
export async function deleteOthers(session: Session, wanted: Wanted, kept: Credentials): Promise<void> {
  const { deployment } = wanted;
  for (const client of await clientsNamed(wanted)) {
    if (client.clientId === kept.clientId) continue;
    // Before its item, by which a repeated command finds the client.
    await cognitoClientOf(deployment).delete(client.clientId);
    await clientStoreOf(deployment).remove(client);
    session.note(`client ${client.clientId} deleted`);
  }
}
