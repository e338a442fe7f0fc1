import * as v from 'valibot';
import { clientOauth, type ClientOauth } from '../../core/access/registered-client.ts';
import type { Item } from '../../core/aws/dynamodb-client.ts';
import { receiver, type Receiver } from '../../core/callbacks/receiver.ts';
import { numberMatchingModes } from '../../core/tenants/tenant.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';

/** The item that assigns a client to its tenant. */
const assigned = v.object({
  clientId: v.string(),
  tenantId: v.string(),
  /** Only clients that the commands made have a name and scopes. */
  name: v.optional(v.string()),
  scopes: v.optional(v.array(v.string())),
  /** Absent: as the tenant's settings say. */
  numberMatching: v.optional(v.picklist(numberMatchingModes)),
  /** Where a push may lead its user back to. */
  returnOrigins: v.optional(v.array(v.string())),
});

/** A client with all of its items. */
export type TenantClient = v.InferOutput<typeof assigned> & {
  /** Absent for a client of an issuer of the operator's own, unless it has keys. */
  oauth?: ClientOauth;
  callback?: Receiver;
  notification?: Receiver;
};
export type NamedClient = TenantClient & { name: string; scopes: string[] };

function parse<Schema extends v.GenericSchema>(schema: Schema, item: Item): v.InferOutput<Schema> {
  const result = v.safeParse(schema, item);
  if (result.success) return result.output;
  // Only the paths: a message would quote the value.
  const paths = result.issues.map((issue) => v.getDotPath(issue) ?? '');
  throw new Error(`The item ${String(item['pk'])} ${String(item['sk'])} is malformed: ${paths.join(', ')}`);
}

const sortKeys = {
  client: tenantKeys.client('').sk,
  oauth: tenantKeys.clientOauth('').sk,
  callback: tenantKeys.clientCallback('').sk,
  notification: tenantKeys.clientNotification('').sk,
};

/** The client of a partition's items; undefined if it was deleted. */
function joinItems(items: readonly Item[]): TenantClient | undefined {
  const of = (kind: keyof typeof sortKeys): Item | undefined => items.find(({ sk }) => sk === sortKeys[kind]);
  const [client, oauth, callback, notification] = [
    of('client'),
    of('oauth'),
    of('callback'),
    of('notification'),
  ];
  return (
    client && {
      ...parse(assigned, client),
      ...(oauth && { oauth: parse(clientOauth, oauth) }),
      ...(callback && { callback: parse(receiver, callback) }),
      ...(notification && { notification: parse(receiver, notification) }),
    }
  );
}

/** The clients of the items, which may be of several partitions. */
export const clientsOf = (items: readonly Item[]): TenantClient[] =>
  [...Map.groupBy(items, ({ pk }) => pk).values()].flatMap((partition) => joinItems(partition) ?? []);
