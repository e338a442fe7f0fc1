import * as v from 'valibot';
import { tenantKeys } from './tenant-keys.ts';
import { numberMatchingModes, type Requester, tenantSettings } from './tenant.ts';

/** What the API reads of the item that assigns a client to its tenant. */
const client = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  settings: tenantSettings,
  tenantName: v.string(),
  /** The name of the client. Only clients that the commands made have one. */
  name: v.optional(v.string()),
  /** Only of clients that the commands made. */
  scopes: v.optional(v.array(v.string())),
  /** Milliseconds since 1970. The clients of a suspended tenant have no access. */
  suspendedAt: v.optional(v.number()),
  /** Overrules the tenant's setting for what this client asks. Beside the copy of the settings, so that a new copy keeps it. */
  numberMatching: v.optional(v.picklist(numberMatchingModes)),
  /** Where a push of this client may lead its user back to. */
  returnOrigins: v.optional(v.array(v.string())),
  /** A callback URL is registered. */
  callback: v.optional(v.literal(true)),
  /** It authenticates itself by its keys at the OpenID Connect endpoints, and uses no others. */
  hasKeys: v.optional(v.literal(true)),
});

type ClientItem = v.InferOutput<typeof client>;

/** A tenant as one of its clients sees it: `settings` are those that hold for this client. */
export type Tenant = Omit<ClientItem, 'numberMatching' | 'scopes'>;

export function parseClientItem(item: Record<string, unknown>): ClientItem {
  const result = v.safeParse(client, item);
  if (result.success) return result.output;
  throw new Error(`The item ${String(item['pk'])} is malformed: ${v.summarize(result.issues)}`);
}

export const tenantOf = ({ numberMatching, ...tenant }: ClientItem): Tenant => ({
  ...tenant,
  settings: { ...tenant.settings, ...(numberMatching && { numberMatching }) },
});

export const requesterOf = ({ tenantName, name }: Tenant, clientId: string): Requester => ({
  tenant: tenantName,
  client: name ?? clientId,
});

/** DynamoDB rejects keys above 2,048 bytes; no client has such an id. */
export const isClientId = (clientId: string): boolean =>
  Buffer.byteLength(tenantKeys.client(clientId).pk) <= 2048;
