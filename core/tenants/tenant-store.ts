import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { tenantSettings } from './tenant.ts';
import { tenantKeys } from './tenant-keys.ts';

/** The common attributes of a tenant's profile and the items of its clients. */
const tenant = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  settings: tenantSettings,
  /** The name of the tenant. Clients from before it was copied have none. */
  tenantName: v.optional(v.string()),
  /** The name of the client. */
  name: v.optional(v.string()),
  /** Milliseconds since 1970. The clients of a suspended tenant have no access. */
  suspendedAt: v.optional(v.number()),
});

export type Tenant = v.InferOutput<typeof tenant>;

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
   * One read: a client's item has a copy of its tenant's settings. Eventually consistent at half the price, so a change
   * may take effect a moment later.
   */
  async findByClient(clientId: string): Promise<Tenant | undefined> {
    const key = tenantKeys.client(clientId);
    if (!isKey(key)) return undefined;
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.#table, Key: key }));
    if (!Item) return undefined;
    const result = v.safeParse(tenant, Item);
    if (result.success) return result.output;
    throw new Error(`The item ${key.pk} is malformed: ${v.summarize(result.issues)}`);
  }
}
