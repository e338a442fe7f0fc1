import { randomUUID } from 'node:crypto';
import { type Backup, webPushKeyStoreOf } from '../backup/backup.ts';
import { clientStoreOf } from '../clients/client-store.ts';
import { makeClient } from '../clients/make-client.ts';
import { removeStreams } from '../clients/remove-streams.ts';
import type { NamedClient } from '../clients/tenant-client.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { isLackedByPool, type LostParts, type SavedClient, type Undecided } from './lost-parts.ts';

/** A client that has another id and other secrets from now on. The website needs them. */
export type Remade = {
  tenantId: string;
  name: string;
  formerClientId: string;
  clientId: string;
  /** Missing if an interrupted run made the client. */
  clientSecret?: string;
  callbackSecret?: string;
};

/**
 * Does what was decided. Each step can be repeated.
 *
 * @param chosen those of the undecided that the operator named
 * @param made gets each client with its secrets as soon as it is there, so that none is lost if a later step fails
 */
export async function bringBack(
  deployment: Deployment,
  lost: LostParts,
  { backup, chosen, made }: { backup: Backup | undefined; chosen: readonly Undecided[]; made: Remade[] },
): Promise<void> {
  const store = clientStoreOf(deployment);
  for (const its of lost.clients) await putBack(deployment, its);
  for (const its of chosen) {
    if (its.missing === 'in the table') await putBack(deployment, its);
    else if (isLackedByPool(its)) await remake(deployment, its.client, made);
    else await store.change(its.client, { oauth: { keys: its.saved.oauth?.keys } });
  }
  for (const { client, secrets } of lost.secrets) await store.change(client, { oauth: { secrets } });
  if (lost.webPushKey === 'lost' && backup?.webPushKey) await putKey(deployment, backup.webPushKey);
}

async function putBack(deployment: Deployment, { client, items }: SavedClient): Promise<void> {
  const profile = await requireTenant(deployment, client.tenantId);
  if (await clientStoreOf(deployment).putBack(profile, items)) return;
  throw new CommandError(
    `The client ${client.clientId} or its tenant was changed at the same time.`,
    'Run the command again.',
  );
}

async function putKey(deployment: Deployment, key: NonNullable<Backup['webPushKey']>): Promise<void> {
  try {
    await webPushKeyStoreOf(deployment).create(key, randomUUID());
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'ResourceNotFoundException') throw cause;
    throw new CommandError(
      'The secret of the key of web pushes is deleted.',
      'Restore it with "aws secretsmanager restore-secret", and run the command again.',
      { cause },
    );
  }
}

async function remake(deployment: Deployment, lost: NamedClient, made: Remade[]): Promise<void> {
  const { tenantId, name, clientId: formerClientId, oauth, callback, scopes } = lost;
  const store = clientStoreOf(deployment);
  const profile = await requireTenant(deployment, tenantId);
  if (profile.suspendedAt !== undefined)
    throw new CommandError(
      `The tenant ${tenantId} is suspended.`,
      `Resume it first: omi tenant resume ${tenantId}`,
    );
  const earlier = await store.replacementOf(lost);
  const replaces = { clientId: formerClientId, deleted: earlier?.clientId };
  const its =
    earlier?.isDeleted === false
      ? earlier
      : await makeClient(deployment, profile, {
          ...{ tenantId, name, scopes, replaces },
          ...(lost.numberMatching && { numberMatching: lost.numberMatching }),
          ...(lost.returnOrigins && { returnOrigins: lost.returnOrigins }),
          ...(oauth?.notificationUrl !== undefined && { notificationUrl: oauth.notificationUrl }),
          ...(oauth?.resource !== undefined && { resource: oauth.resource }),
          ...(callback && { callbackUrl: callback.url }),
        });
  made.push({
    ...{ tenantId, name, formerClientId, clientId: its.clientId },
    ...('clientSecret' in its && { clientSecret: its.clientSecret }),
    ...('callbackSecret' in its && { callbackSecret: its.callbackSecret }),
  });
  await removeStreams(deployment, lost);
  await store.remove(lost);
}
