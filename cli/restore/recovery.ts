import type { StoredSecret } from '../../core/access/registered-client.ts';
import type { Item } from '../../core/aws/dynamodb-client.ts';
import { publicKeyOf } from '../../core/devices/push/vapid-key.ts';
import { type Backup, webPushKeyStoreOf } from '../backup/backup.ts';
import { clientStoreOf } from '../clients/client-store.ts';
import { CognitoClient } from '../clients/cognito-client.ts';
import { clientsOf, type NamedClient, type TenantClient } from '../clients/tenant-client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Profile, profileStoreOf } from '../tenants/profile-store.ts';

/** What has to be done with the clients and the key of web pushes, which the backups of the tables lack. */
export type Recovery = {
  /** Made since the moment: their items come from the backup. */
  back: { client: TenantClient; items: Item[] }[];
  /** Deleted since the moment. */
  deleted: TenantClient[];
  /** Not in the user pool any more: they get new ids and secrets. */
  lost: NamedClient[];
  /** Rotated since the moment: only what the user pool accepts is a secret. */
  rotated: { client: TenantClient; secrets: StoredSecret[] }[];
  /** `another`: neither the stage's key nor that of the backup is the one with which the stage was deployed. */
  webPushKey: 'kept' | 'back' | 'another';
};

export type Known = {
  backup?: Backup | undefined;
  /** The moment to which the tables went back, in milliseconds. */
  at?: number | undefined;
};

export async function recoveryOf(deployment: Deployment, { backup, at }: Known): Promise<Recovery> {
  const present = clientsOf(await clientStoreOf(deployment).items());
  const saved = new Map(byClient(backup?.clients ?? []).map((its) => [its.client.clientId, its]));
  const tenants = await liveTenants(deployment);
  const pool = poolOf(deployment);
  const found: Recovery = { back: [], deleted: [], lost: [], rotated: [], webPushKey: 'kept' };
  const isLater = backup && at !== undefined && Date.parse(backup.takenAt) > at;
  for (const client of present) {
    const its = saved.get(client.clientId);
    const ids = isOfPool(client) ? await pool?.secretIds(client.clientId) : undefined;
    if (ids) found.rotated.push(...rotationOf(client, its?.client, ids));
    else if (isLater && !its) found.deleted.push(client);
    else if (pool && isOfPool(client) && tenants.get(client.tenantId)?.suspendedAt === undefined)
      found.lost.push(client);
  }
  const known = new Set(present.map(({ clientId }) => clientId));
  for (const its of saved.values()) {
    const { clientId, tenantId } = its.client;
    if (known.has(clientId) || !tenants.has(tenantId)) continue;
    const isBack =
      pool && isOfPool(its.client)
        ? (await pool.secretIds(clientId)) !== undefined
        : // Without the pool, nothing but its age tells a client that was made since from one that was deleted.
          at !== undefined && its.items.some(({ createdAt }) => Number(createdAt) > at);
    if (isBack) found.back.push(its);
  }
  return { ...found, ...(backup && { webPushKey: await keyState(deployment, backup) }) };
}

const poolOf = ({ clients, userPoolId }: Deployment): CognitoClient | undefined =>
  userPoolId === undefined ? undefined : new CognitoClient(clients.cognito, userPoolId);

/** Those with keys authenticate themselves without the pool, and the others were not made by the commands. */
const isOfPool = (client: TenantClient): client is NamedClient =>
  client.name !== undefined && client.scopes !== undefined && client.oauth?.keys === undefined;

const byClient = (items: readonly Item[]): Recovery['back'] =>
  [...Map.groupBy(items, ({ pk }) => pk).values()].flatMap((its) =>
    clientsOf(its).map((client) => ({ client, items: its })),
  );

async function liveTenants(deployment: Deployment): Promise<ReadonlyMap<string, Profile>> {
  const live = (await profileStoreOf(deployment).list()).filter(({ deletedAt }) => deletedAt === undefined);
  return new Map(live.map((profile) => [profile.tenantId, profile]));
}

/** A secret that was revoked since must not open anything again, and the hash of a new one is in the backup. */
function rotationOf(
  client: TenantClient,
  saved: TenantClient | undefined,
  ids: ReadonlySet<string>,
): Recovery['rotated'] {
  const stored = client.oauth?.secrets ?? [];
  const all = new Map([...(saved?.oauth?.secrets ?? []), ...stored].map((secret) => [secret.id, secret]));
  const secrets = [...all.values()].filter(({ id }) => ids.has(id));
  const before = new Set(stored.map(({ id }) => id));
  const isSame = secrets.length === before.size && secrets.every(({ id }) => before.has(id));
  return isSame ? [] : [{ client, secrets }];
}

async function keyState(deployment: Deployment, { webPushKey }: Backup): Promise<Recovery['webPushKey']> {
  const deployed = await deployedKey(deployment.baseUrl);
  const isDeployed = (key: { x: string; y: string } | null | undefined): boolean =>
    !!key && (deployed === undefined || publicKeyOf(key) === deployed);
  const present = await webPushKeyStoreOf(deployment)
    .find()
    .catch((error: unknown) => {
      // What is not a key is as good as none. AWS's own errors have other names.
      if (error instanceof Error && error.name === 'Error') return undefined;
      throw error;
    });
  if (isDeployed(present)) return 'kept';
  if (isDeployed(webPushKey)) return 'back';
  return present || webPushKey ? 'another' : 'kept';
}

/** The one that apps are told, to which browsers bind their subscriptions. */
async function deployedKey(baseUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${baseUrl}/omi/device/settings`, { signal: AbortSignal.timeout(10_000) });
    const { webPush } = (await response.json()) as { webPush?: { applicationServerKey?: unknown } };
    const key = webPush?.applicationServerKey;
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}
