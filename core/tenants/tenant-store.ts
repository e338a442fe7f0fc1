import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { numberMatchingModes, tenantSettings } from './tenant.ts';
import { tenantKeys } from './tenant-keys.ts';

/** What the API reads of a client's item. */
const client = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  settings: tenantSettings,
  /** The name of the tenant. Clients from before it was copied have none. */
  tenantName: v.optional(v.string()),
  /** The name of the client. */
  name: v.optional(v.string()),
  /** Milliseconds since 1970. The clients of a suspended tenant have no access. */
  suspendedAt: v.optional(v.number()),
  /** Overrules the tenant's setting for what this client asks. Beside the copy of the settings, so that a new copy keeps it. */
  numberMatching: v.optional(v.picklist(numberMatchingModes)),
});

type ClientItem = v.InferOutput<typeof client>;

/** A tenant as one of its clients sees it: `settings` are those that hold for this client. */
export type Tenant = Omit<ClientItem, 'numberMatching'>;

const tenantOf = ({ numberMatching, ...tenant }: ClientItem): Tenant => ({
  ...tenant,
  settings: { ...tenant.settings, ...(numberMatching && { numberMatching }) },
});

type Key = ReturnType<(typeof tenantKeys)['client']>;

/** DynamoDB rejects keys above 2,048 bytes; no client has such an id. */
const isKey = ({ pk }: Key): boolean => Buffer.byteLength(pk) <= 2048;

/** Finds tenants in the tenants table by the id of a client. */
export class TenantStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * One read: a client's item has a copy of its tenant's settings, and its own ones. Eventually consistent at half the price, so a change
   * may take effect a moment later.
   */
  async findByClient(clientId: string): Promise<Tenant | undefined> {
    const key = tenantKeys.client(clientId);
    if (!isKey(key)) return undefined;
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.#table, Key: key }));
    if (!Item) return undefined;
    const result = v.safeParse(client, Item);
    if (result.success) return tenantOf(result.output);
    throw new Error(`The item ${key.pk} is malformed: ${v.summarize(result.issues)}`);
  }
}
