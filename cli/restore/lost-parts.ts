import type { StoredSecret } from '../../core/access/registered-client.ts';
import type { Item } from '../../core/aws/dynamodb-client.ts';
import { MalformedKey, publicKeyOf, type VapidKey } from '../../core/devices/push/vapid-key.ts';
import { type Backup, webPushKeyStoreOf } from '../backup/backup.ts';
import { clientStoreOf } from '../clients/client-store.ts';
import { CognitoClient } from '../clients/cognito-client.ts';
import { clientsOf, type NamedClient, type TenantClient } from '../clients/tenant-client.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Profile, profileStoreOf } from '../tenants/profile-store.ts';

/** `in the user pool and the table`: only the backup has it. */
type LackedByPool = { missing: 'in the user pool' | 'in the user pool and the table'; client: NamedClient };

export type SavedClient = { client: TenantClient; items: Item[] };

/**
 * A client that may have been lost, or changed on purpose since. Nothing tells which, so the operator decides. It is missing in the
 * user pool, or in the table but in the backup, or has other keys than in the backup.
 */
export type Undecided =
  | LackedByPool
  | { missing: 'in the table'; client: TenantClient; items: Item[] }
  | { missing: 'the keys in the backup'; client: TenantClient; saved: TenantClient };

/** What the stage has lost of what its tables' backups do not contain. */
export type LostParts = {
  /** Clients that the user pool and the backup have, and the table lacks. */
  clients: SavedClient[];
  undecided: Undecided[];
  /** Clients with secrets that the user pool does not accept, or with new ones that the backup knows. */
  secrets: { client: TenantClient; secrets: StoredSecret[] }[];
  /** Clients with a secret that only the user pool knows. */
  unknownSecrets: TenantClient[];
  /** The user pool, if it is another one than the clients are from, or was emptied: it is new, or lacks most of them. */
  strangePool?: string;
  /**
   * `another`: neither the secret nor the backup has the key with which the stage was deployed. `deleted`: there is no secret.
   * `unknown`: the stage does not say with which key it was deployed.
   */
  webPushKey: 'kept' | 'lost' | 'another' | 'deleted' | 'unknown';
};

/**
 * @param isNewPool the stage has another user pool than before
 * @param tell gets what takes long
 */
export async function lostParts(
  deployment: Deployment,
  { backup, isNewPool = false }: { backup: Backup | undefined; isNewPool?: boolean },
  tell: (line: string) => void,
): Promise<LostParts> {
  const present = clientsOf(await clientStoreOf(deployment).items());
  const saved = savedClients(backup);
  const tenants = await liveTenants(deployment);
  const pool = poolOf(deployment);
  const pooled = pool ? present.filter(isOfPool) : [];
  if (pooled.length > 50) tell(`Asking the user pool about ${pooled.length} clients, one after the other.`);
  const lost: LostParts = {
    ...{ clients: [], undecided: [], secrets: [], unknownSecrets: [] },
    webPushKey: backup ? await keyState(deployment, backup) : 'kept',
  };
  let known = 0;
  const absent: NamedClient[] = [];
  for (const client of present) {
    const before = saved.get(client.clientId)?.client;
    if (client.oauth?.keys) {
      if (before && JSON.stringify(before.oauth?.keys) !== JSON.stringify(client.oauth.keys))
        lost.undecided.push({ missing: 'the keys in the backup', client, saved: before });
    } else if (pool && isOfPool(client)) {
      const ids = await pool.secretIds(client.clientId);
      if (!ids && tenants.has(client.tenantId)) lost.undecided.push({ missing: 'in the user pool', client });
      if (ids) known += 1;
      addSecrets(lost, client, before, ids ?? new Set());
    }
  }
  const inTable = new Set(present.map(({ clientId }) => clientId));
  for (const its of saved.values()) {
    const { clientId, tenantId } = its.client;
    if (inTable.has(clientId) || !tenants.has(tenantId)) continue;
    const isPooled = pool && isOfPool(its.client);
    const ids = isPooled ? await pool.secretIds(clientId) : undefined;
    if (ids) {
      known += 1;
      lost.clients.push(its);
      addSecrets(lost, its.client, undefined, ids);
    } else if (!isPooled) lost.undecided.push({ missing: 'in the table', ...its });
    else if (isOfPool(its.client)) absent.push(its.client);
  }
  const missing = absent.length + lost.undecided.filter(isLackedByPool).length;
  if (deployment.userPoolId !== undefined && missing > 0 && (isNewPool || missing > known)) {
    lost.strangePool = deployment.userPoolId;
    // Otherwise they were deleted from the pool as well: that was on purpose.
    for (const client of absent) lost.undecided.push({ missing: 'in the user pool and the table', client });
  }
  return lost;
}

export const isLackedByPool = (its: Undecided): its is LackedByPool =>
  its.missing.startsWith('in the user pool');

const poolOf = ({ clients, userPoolId }: Deployment): CognitoClient | undefined =>
  userPoolId === undefined ? undefined : new CognitoClient(clients.cognito, userPoolId);

/** Those with keys authenticate themselves without the pool, and the others were not made by the commands. */
const isOfPool = (client: TenantClient): client is NamedClient =>
  client.name !== undefined && client.scopes !== undefined && client.oauth?.keys === undefined;

/** @throws {CommandError} if an item is not that of a client: somebody else wrote it */
function savedClients(backup: Backup | undefined): Map<string, SavedClient> {
  const saved = new Map<string, SavedClient>();
  for (const [pk, items] of Map.groupBy(backup?.clients ?? [], (item) => item.pk)) {
    const [client] = clientsOf(items);
    const isSound =
      client &&
      pk === `client#${client.clientId}` &&
      items.every(({ tenantId }) => tenantId === undefined || tenantId === client.tenantId);
    if (!isSound) throw new CommandError(`The backup has items that are not those of a client: ${pk}.`);
    saved.set(client.clientId, { client, items });
  }
  return saved;
}

async function liveTenants(deployment: Deployment): Promise<ReadonlyMap<string, Profile>> {
  const live = (await profileStoreOf(deployment).list()).filter(({ deletedAt }) => deletedAt === undefined);
  return new Map(live.map((profile) => [profile.tenantId, profile]));
}

/** A secret that was revoked since must not open anything again, and the hash of a new one may be in the backup. */
function addSecrets(
  lost: LostParts,
  client: TenantClient,
  saved: TenantClient | undefined,
  ids: ReadonlySet<string>,
): void {
  const stored = client.oauth?.secrets ?? [];
  const all = new Map([...(saved?.oauth?.secrets ?? []), ...stored].map((secret) => [secret.id, secret]));
  const secrets = [...all.values()].filter(({ id }) => ids.has(id));
  const before = new Set(stored.map(({ id }) => id));
  const isSame = secrets.length === before.size && secrets.every(({ id }) => before.has(id));
  if (!isSame) lost.secrets.push({ client, secrets });
  if ([...ids].some((id) => !all.has(id))) lost.unknownSecrets.push(client);
}

async function keyState(deployment: Deployment, { webPushKey }: Backup): Promise<LostParts['webPushKey']> {
  const deployed = await deployedKey(deployment.baseUrl);
  const present = await presentKey(deployment);
  if (present === 'deleted') return 'deleted';
  if (deployed === undefined) return 'unknown';
  if (present && publicKeyOf(present) === deployed) return 'kept';
  if (webPushKey && publicKeyOf(webPushKey) === deployed) return 'lost';
  return 'another';
}

async function presentKey(deployment: Deployment): Promise<VapidKey | 'deleted' | undefined> {
  try {
    return await webPushKeyStoreOf(deployment).find();
  } catch (error) {
    if (error instanceof MalformedKey) return undefined;
    // Secrets Manager's answer while the secret waits for its deletion.
    if (error instanceof Error && error.name === 'InvalidRequestException') return 'deleted';
    throw error;
  }
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
