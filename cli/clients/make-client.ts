import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { StoredProfile } from '../tenants/profile-store.ts';
import { clientStoreOf, type NamedClient } from './client-store.ts';
import { cognitoClientOf, type Credentials } from './cognito-client.ts';

/**
 * A client of the user pool, and the item that assigns it to its tenant.
 *
 * @throws {CommandError} if the deployment has no user pool, or the tenant was changed at the same time
 */
export async function makeClient(
  deployment: Deployment,
  profile: StoredProfile,
  named: Omit<NamedClient, 'clientId'>,
): Promise<Credentials> {
  const pool = cognitoClientOf(deployment);
  const credentials = await pool.create(`${named.tenantId} ${named.name}`, named.scopes);
  try {
    await addClient(deployment, profile, { ...named, clientId: credentials.clientId });
    return credentials;
  } catch (error) {
    // Without its item the client belongs to no tenant and cannot be used.
    await pool.delete(credentials.clientId);
    throw error;
  }
}

export async function addClient(
  deployment: Deployment,
  profile: StoredProfile,
  client: NamedClient,
): Promise<void> {
  if (await clientStoreOf(deployment).add(client, profile)) return;
  throw new CommandError('The tenant was changed at the same time.', 'Run the command again.');
}
