import { secretHashOf } from '../../core/access/client-secret.ts';
import type { ClientOauth } from '../../core/access/registered-client.ts';
import type { Receiver } from '../../core/callbacks/receiver.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { StoredProfile } from '../tenants/profile-store.ts';
import { newCallbackSecret } from './callback-secret.ts';
import { clientStoreOf, type Replaced } from './client-store.ts';
import { cognitoClientOf, type Credentials } from './cognito-client.ts';
import type { NamedClient } from './tenant-client.ts';

/** What the operator chose for a client. `replaces`: the client that it takes the place of. */
export type NewClient = Pick<
  NamedClient,
  'tenantId' | 'name' | 'scopes' | 'numberMatching' | 'returnOrigins'
> &
  Partial<Pick<ClientOauth, 'keys' | 'notificationUrl' | 'resource' | 'profile'>> & {
    callbackUrl?: string;
    replaces?: Replaced;
  };

/** A client, and the secret that signs its callbacks, if it has any. */
export type AddedClient = { client: NamedClient; callbackSecret?: string };

/**
 * A client of the user pool, and the items that assign it to its tenant.
 *
 * @throws {CommandError} if the deployment has no user pool, or the tenant or the client was changed at the same time
 */
export async function makeClient(
  deployment: Deployment,
  profile: StoredProfile,
  chosen: NewClient,
): Promise<AddedClient & Credentials> {
  const pool = cognitoClientOf(deployment);
  const credentials = await pool.create(`${chosen.tenantId} ${chosen.name}`, chosen.scopes);
  const { clientId, clientSecret } = credentials;
  try {
    const hash = secretHashOf(clientSecret);
    const secrets = (await pool.secrets(clientId)).map(({ secretId }) => ({ id: secretId, hash }));
    return { ...(await addClient(deployment, profile, { ...chosen, clientId, secrets })), ...credentials };
  } catch (error) {
    // Without its item the client belongs to no tenant and cannot be used.
    await pool.delete(clientId);
    throw error;
  }
}

/** @throws {CommandError} if the tenant or the client was changed at the same time */
export async function addClient(
  deployment: Deployment,
  tenant: StoredProfile,
  added: NewClient & { clientId: string; secrets?: ClientOauth['secrets'] },
): Promise<AddedClient> {
  const { keys, secrets = [], notificationUrl, resource, profile, callbackUrl, replaces, ...named } = added;
  const oauth = { scopes: named.scopes, secrets, keys, notificationUrl, resource, profile };
  const secret = callbackUrl === undefined ? undefined : await newCallbackSecret(deployment, named.clientId);
  const receiver = (url: string, sealed: Receiver['secrets'] = []): Receiver => ({
    ...{ clientId: named.clientId, tenantId: named.tenantId, url, secrets: sealed },
    ...{ state: 'active', since: Date.now() },
  });
  const client: NamedClient = {
    ...named,
    oauth,
    ...(callbackUrl !== undefined && { callback: receiver(callbackUrl, secret && [secret.sealed]) }),
    ...(notificationUrl !== undefined && { notification: receiver(notificationUrl) }),
  };
  if (!(await clientStoreOf(deployment).add(client, tenant, replaces)))
    throw new CommandError(
      'The tenant or the client was changed at the same time.',
      'Run the command again.',
    );
  return { client, ...(secret && { callbackSecret: secret.callbackSecret }) };
}
