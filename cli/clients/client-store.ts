import { DeleteCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ConditionsFailed, transact, type Write } from '../../core/aws/dynamodb-client.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import type { TenantSettings } from '../../core/tenants/tenant.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { scan } from '../deployment/table-client.ts';
import type { StoredProfile } from '../tenants/profile-store.ts';

const client = v.object({
  clientId: v.string(),
  tenantId: v.string(),
  /** Clients that were not made by the commands have neither. */
  name: v.optional(v.string()),
  scopes: v.optional(v.array(v.string())),
});
export type TenantClient = v.InferOutput<typeof client>;

/** The items that say whose a client is, with a copy of the tenant's settings: the tenants table. */
export class ClientStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(dynamodb: DynamoDBDocumentClient, table: string) {
    this.#client = dynamodb;
    this.#table = table;
  }

  async find(clientId: string): Promise<TenantClient | undefined> {
    const Key = tenantKeys.client(clientId);
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
    );
    return Item && v.parse(client, Item);
  }

  /** A client's item is found by its id alone, so all items are looked through. */
  async ofTenant(tenantId: string): Promise<TenantClient[]> {
    const values = { ':sort': 'client', ':tenant': tenantId };
    const items = await scan(this.#client, this.#table, 'sk = :sort AND tenantId = :tenant', values);
    return items.map((item) => v.parse(client, item)).sort((a, b) => a.clientId.localeCompare(b.clientId));
  }

  /** @returns false where the tenant is suspended or its settings are not those that were read, or the id is another tenant's */
  async add(added: Required<TenantClient>, { stored, settings }: StoredProfile): Promise<boolean> {
    const put: Write = {
      Put: {
        TableName: this.#table,
        Item: { ...tenantKeys.client(added.clientId), ...added, settings },
        // Its own, of a try whose answer was lost, is no other's.
        ConditionExpression: 'attribute_not_exists(pk) OR tenantId = :tenant',
        ExpressionAttributeValues: { ':tenant': added.tenantId },
      },
    };
    const isActive = 'settings = :now AND attribute_not_exists(suspendedAt)';
    return await this.#isHeld([this.#profileHas(added.tenantId, isActive, stored), put]);
  }

  /**
   * Gives a client its tenant's settings, if they are still these: of two changes at once, the later wins everywhere.
   *
   * @returns false where they are not, or the client is gone
   */
  async copySettings({ clientId, tenantId }: TenantClient, settings: TenantSettings): Promise<boolean> {
    const copy: Write = {
      Update: {
        TableName: this.#table,
        Key: tenantKeys.client(clientId),
        UpdateExpression: 'SET settings = :settings',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':settings': settings },
      },
    };
    return await this.#isHeld([this.#profileHas(tenantId, 'settings = :now', settings), copy]);
  }

  /**
   * Gives a client its tenant's suspension, or none, if the profile still has it so.
   *
   * @returns false where it has not, or the client is gone
   */
  async copySuspension(
    { clientId, tenantId }: TenantClient,
    suspendedAt: number | undefined,
  ): Promise<boolean> {
    const isSuspended = suspendedAt !== undefined;
    const copy: Write = {
      Update: {
        TableName: this.#table,
        Key: tenantKeys.client(clientId),
        UpdateExpression: isSuspended ? 'SET suspendedAt = :at' : 'REMOVE suspendedAt',
        ConditionExpression: 'attribute_exists(pk)',
        ...(isSuspended && { ExpressionAttributeValues: { ':at': suspendedAt } }),
      },
    };
    const condition = isSuspended ? 'suspendedAt = :now' : 'attribute_not_exists(suspendedAt)';
    return await this.#isHeld([this.#profileHas(tenantId, condition, suspendedAt), copy]);
  }

  /** A client that was deleted meanwhile stays so. */
  async setScopes({ clientId, scopes }: TenantClient): Promise<void> {
    await this.#isHeld([
      {
        Update: {
          TableName: this.#table,
          Key: tenantKeys.client(clientId),
          UpdateExpression: 'SET scopes = :scopes',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':scopes': scopes },
        },
      },
    ]);
  }

  async remove({ clientId }: TenantClient): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: tenantKeys.client(clientId) }));
  }

  /** @param now what the condition names so, if it does */
  #profileHas(tenantId: string, condition: string, now: unknown): Write {
    return {
      ConditionCheck: {
        TableName: this.#table,
        Key: tenantKeys.profile(tenantId),
        ConditionExpression: condition,
        ...(now !== undefined && { ExpressionAttributeValues: { ':now': now } }),
      },
    };
  }

  async #isHeld(writes: Write[]): Promise<boolean> {
    try {
      await retryOnConflict(async () => await transact(this.#client, writes));
      return true;
    } catch (error) {
      if (error instanceof ConditionsFailed) return false;
      throw error;
    }
  }
}
