import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isClientId, parseClientItem, type Tenant, tenantOf } from './client-item.ts';
import { parseProfile, type Profile } from './profile.ts';
import { tenantKeys } from './tenant-keys.ts';

const uuid = v.pipe(v.string(), v.uuid());

/** Finds tenants in the tenants table, by the id of a client or by their own. */
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
    if (!isClientId(clientId)) return undefined;
    const Key = tenantKeys.client(clientId);
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.#table, Key }));
    return Item && tenantOf(parseClientItem(Item));
  }

  /** One read, likewise. */
  async find(tenantId: string): Promise<Profile | undefined> {
    // DynamoDB rejects keys of other forms, such as very long ones.
    if (!v.is(uuid, tenantId)) return undefined;
    const Key = tenantKeys.profile(tenantId);
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.#table, Key }));
    return Item && parseProfile(Item);
  }
}
