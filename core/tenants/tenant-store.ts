import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { tenantSettings } from './tenant.ts';
import { tenantKeys } from './tenant-keys.ts';

/** What a tenant's profile and the items of its clients have in common. */
const tenant = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  settings: tenantSettings,
  /** Since when its clients are shut out, in milliseconds since 1970. */
  suspendedAt: v.optional(v.number()),
});

export type Tenant = v.InferOutput<typeof tenant>;

type Key = ReturnType<(typeof tenantKeys)['client']>;

/** DynamoDB refuses a key above 2,048 bytes; an id that long names nobody. */
const isKey = ({ pk }: Key): boolean => Buffer.byteLength(pk) <= 2048;

/** Tenants by the id of a client: the tenants table. */
export class TenantStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * One read. A client's item has its tenant's settings, so that this is the only one. Eventually consistent, at half the
   * price: what was just written may take a moment to count.
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
