import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../command-error.ts';
import { ClientStore, type TenantClient } from './client-store.ts';
import { CognitoClient } from './cognito-client.ts';

export const clientsOf = ({ clients, tables }: Deployment): ClientStore =>
  new ClientStore(clients.dynamodb, tables.tenants);

/** @throws {CommandError} where another issuer than Cognito has the clients */
export function poolOf({ clients, userPoolId, name }: Deployment): CognitoClient {
  if (userPoolId !== undefined) return new CognitoClient(clients.cognito, userPoolId);
  throw new CommandError(
    `${name} has no user pool: its tokens come from an issuer that "omi" does not administer.`,
    'Make the client and its secret there, then register it: omi client create --client <its id>.',
  );
}

/** @throws {CommandError} */
export async function requireClient(deployment: Deployment, clientId: string): Promise<TenantClient> {
  const client = await clientsOf(deployment).find(clientId);
  if (client) return client;
  throw new CommandError(
    `There is no client ${clientId} in ${deployment.name}.`,
    '"omi client list" shows those of a tenant.',
  );
}
