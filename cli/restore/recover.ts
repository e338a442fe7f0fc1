import { randomUUID } from 'node:crypto';
import type { Backup } from '../backup/backup.ts';
import { webPushKeyStoreOf } from '../backup/backup.ts';
import { clientStoreOf } from '../clients/client-store.ts';
import { makeClient } from '../clients/make-client.ts';
import { removeStreams } from '../clients/remove-streams.ts';
import type { NamedClient, TenantClient } from '../clients/tenant-client.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import type { Recovery } from './recovery.ts';

/** A client that has another id and other secrets from now on. The website needs them. */
export type Remade = {
  tenantId: string;
  name: string;
  formerClientId: string;
  clientId: string;
  /** Missing if an interrupted run made the client: `omi client rotate` makes another one. */
  clientSecret?: string;
  callbackSecret?: string;
};

/** Each step can be repeated: an interrupted run is completed by the next one. */
export async function recover(
  deployment: Deployment,
  { back, deleted, lost, rotated, webPushKey }: Recovery,
  backup: Backup | undefined,
): Promise<Remade[]> {
  const store = clientStoreOf(deployment);
  for (const { client, items } of back) {
    await store.putBack(client, items);
    await copyTenant(deployment, client);
  }
  for (const { client, secrets } of rotated) await store.change(client, { oauth: { secrets } });
  for (const client of deleted) await remove(deployment, client);
  if (webPushKey === 'back' && backup?.webPushKey)
    await webPushKeyStoreOf(deployment).create(backup.webPushKey, randomUUID());
  const remade: Remade[] = [];
  for (const client of lost) remade.push(await remake(deployment, client));
  return remade;
}

/** An item of a client has a copy of its tenant's name, settings and suspension. */
async function copyTenant(deployment: Deployment, client: TenantClient): Promise<void> {
  const store = clientStoreOf(deployment);
  const profile = await requireTenant(deployment, client.tenantId);
  const isCopied =
    (await store.copyProfile(client, profile)) && (await store.copySuspension(client, profile.suspendedAt));
  if (!isCopied) throw new CommandError('The tenant was changed at the same time.', 'Run the command again.');
}

async function remove(deployment: Deployment, client: TenantClient): Promise<void> {
  await removeStreams(deployment, client);
  await clientStoreOf(deployment).remove(client);
}

async function remake(deployment: Deployment, lost: NamedClient): Promise<Remade> {
  const { tenantId, name, clientId: formerClientId, oauth, callback, scopes } = lost;
  const store = clientStoreOf(deployment);
  const others = (await store.ofTenant(tenantId)).filter((one) => one.name === name);
  const made = others.find(({ clientId }) => clientId !== formerClientId);
  const its = made
    ? { clientId: made.clientId }
    : await makeClient(deployment, await requireTenant(deployment, tenantId), {
        ...{ tenantId, name, scopes },
        ...(lost.numberMatching && { numberMatching: lost.numberMatching }),
        ...(lost.returnOrigins && { returnOrigins: lost.returnOrigins }),
        ...(oauth?.notificationUrl !== undefined && { notificationUrl: oauth.notificationUrl }),
        ...(oauth?.resource !== undefined && { resource: oauth.resource }),
        ...(callback && { callbackUrl: callback.url }),
      });
  await remove(deployment, lost);
  return {
    ...{ tenantId, name, formerClientId, clientId: its.clientId },
    ...('clientSecret' in its && { clientSecret: its.clientSecret }),
    ...('callbackSecret' in its && { callbackSecret: its.callbackSecret }),
  };
}
