import type { ClientOauth } from '../../core/access/registered-client.ts';
import { type Assignments, updateOf } from '../../core/aws/conditional-writer.ts';
import type { Write } from '../../core/aws/dynamodb-client.ts';
import type { CallbackStore } from '../../core/callbacks/callback-store.ts';
import type { ReceiverKind, Registration } from '../../core/callbacks/receiver.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import type { NamedClient, TenantClient } from './tenant-client.ts';

type ReceiverChange = Pick<Registration, 'url' | 'secrets'> | undefined;

/** What changes of a client, all at once. A value of undefined removes what there is. */
export type ClientChanges = {
  client?: Partial<Pick<TenantClient, 'scopes' | 'numberMatching' | 'returnOrigins'>>;
  oauth?: Partial<Omit<ClientOauth, 'scopes'>>;
  callback?: ReceiverChange;
  notification?: ReceiverChange;
};

type Place = { table: string; receivers: CallbackStore; now: number };

/** All items of a new client. `copied` is what it has of its tenant's profile. */
export function additionOf(
  { clientId, tenantId, oauth, callback, notification, ...described }: NamedClient,
  copied: Record<string, unknown>,
  { table, receivers, now }: Place,
): Write[] {
  const marks = { ...(callback && { callback: true }), ...(oauth?.keys && { hasKeys: true }) };
  const own = { clientId, tenantId, ...described, ...copied, ...marks };
  const client: Write = {
    Put: {
      TableName: table,
      Item: { ...tenantKeys.client(clientId), ...own },
      // The tenant's own item may be there: the answer of an earlier attempt was lost.
      ConditionExpression: 'attribute_not_exists(pk) OR tenantId = :tenant',
      ExpressionAttributeValues: { ':tenant': tenantId },
    },
  };
  const Item = { ...tenantKeys.clientOauth(clientId), clientId, tenantId, ...oauth, createdAt: now };
  return [
    client,
    ...(oauth ? [{ Put: { TableName: table, Item } }] : []),
    ...(callback ? [receivers.registration('callback', callback, now)] : []),
    ...(notification ? [receivers.registration('ping', notification, now)] : []),
  ];
}

/** The first of the writes requires that the client exists. */
export function changeOf(before: TenantClient, changes: ClientChanges, place: Place): Write[] {
  const { client = {}, oauth } = changes;
  const isOauthChanged = oauth !== undefined || 'scopes' in client;
  return [
    changeOfOwn(before, changes, place),
    ...(isOauthChanged ? [changeOfOauth(before, changes, place)] : []),
    ...('callback' in changes ? [changeOfReceiver('callback', before, changes.callback, place)] : []),
    ...('notification' in changes ? [changeOfReceiver('ping', before, changes.notification, place)] : []),
  ];
}

export const removalOf = (clientId: string, { table, receivers }: Omit<Place, 'now'>): Write[] => [
  { Delete: { TableName: table, Key: tenantKeys.client(clientId) } },
  { Delete: { TableName: table, Key: tenantKeys.clientOauth(clientId) } },
  receivers.removal('callback', clientId),
  receivers.removal('ping', clientId),
];

function changeOfOwn({ clientId }: TenantClient, changes: ClientChanges, { table }: Place): Write {
  const callback = changes.callback === undefined ? undefined : true;
  const values = {
    ...changes.client,
    ...('callback' in changes && { callback }),
    ...(changes.oauth?.keys && { hasKeys: true }),
  };
  const exists = {
    TableName: table,
    Key: tenantKeys.client(clientId),
    ConditionExpression: 'attribute_exists(pk)',
  };
  if (Object.keys(values).length === 0) return { ConditionCheck: exists };
  return { Update: { ...exists, ...expressionsOf(assignmentsOf(values)) } };
}

/** The scopes are in both items: the authorizer's issuer knows them itself, the OAuth endpoints read them here. */
function changeOfOauth(
  { clientId, tenantId, scopes = [] }: TenantClient,
  { client = {}, oauth }: ClientChanges,
  { table, now }: Place,
): Write {
  const changed = { ...oauth, ...('scopes' in client && { scopes: client.scopes ?? [] }) };
  const assignments = {
    ...assignmentsOf({ ...changed, clientId, tenantId }),
    setIfAbsent: { createdAt: now, ...(!('scopes' in changed) && { scopes }) },
  };
  return {
    Update: { TableName: table, Key: tenantKeys.clientOauth(clientId), ...expressionsOf(assignments) },
  };
}

function changeOfReceiver(
  kind: ReceiverKind,
  { clientId, tenantId }: TenantClient,
  change: ReceiverChange,
  { receivers, now }: Place,
): Write {
  if (change === undefined) return receivers.removal(kind, clientId);
  return receivers.registration(kind, { clientId, tenantId, ...change }, now);
}

const assignmentsOf = (values: Record<string, unknown>): Assignments => ({
  set: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
  remove: Object.keys(values).filter((name) => values[name] === undefined),
});

function expressionsOf(assignments: Assignments) {
  const { update, names, values } = updateOf(assignments);
  const entries = Object.entries(values).map(([name, value]) => [`:${name}`, value]);
  return {
    UpdateExpression: update,
    ExpressionAttributeNames: names,
    ...(entries.length > 0 && { ExpressionAttributeValues: Object.fromEntries(entries) as object }),
  };
}
