import type { Deployment } from '../deployment/deployment.ts';
import { Failure } from '../command-error.ts';
import { ClientDirectory, type TenantClient } from './client-store.ts';
import { ClientPool } from './cognito-client.ts';

export const clientsOf = ({ clients, tables }: Deployment): ClientDirectory =>
  new ClientDirectory(clients.dynamodb, tables.tenants);

/** @throws {Failure} where another issuer than Cognito has the clients */
export function poolOf({ clients, userPoolId, name }: Deployment): ClientPool {
  if (userPoolId !== undefined) return new ClientPool(clients.cognito, userPoolId);
  throw new Failure(
    `${name} has no user pool: its tokens come from an issuer that "omi" does not administer.`,
    'Make the client and its secret there, then register it: omi client create --client <its id>.',
  );
}

/** @throws {Failure} */
export async function requireClient(deployment: Deployment, clientId: string): Promise<TenantClient> {
  const client = await clientsOf(deployment).find(clientId);
  if (client) return client;
  throw new Failure(
    `There is no client ${clientId} in ${deployment.name}.`,
    '"omi client list" shows those of a tenant.',
  );
}
