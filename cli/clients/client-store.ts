import { DeleteCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ConditionsFailed, transact, type Write } from '../../core/aws/dynamodb-client.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import type { TenantSettings } from '../../core/tenants/tenant.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { scan } from '../deployment/table-client.ts';
import type { StoredProfile } from '../tenants/profile-store.ts';

const client = v.object({
  clientId: v.string(),
  tenantId: v.string(),
  /** Only clients that the commands made have a name and scopes. */
  name: v.optional(v.string()),
  scopes: v.optional(v.array(v.string())),
});
export type TenantClient = v.InferOutput<typeof client>;

/** The items of the tenants table that assign clients to tenants, each with a copy of the tenant's settings. */
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

  /** Scans the table: it has no index by tenant. */
  async ofTenant(tenantId: string): Promise<TenantClient[]> {
    const values = { ':sort': 'client', ':tenant': tenantId };
    const items = await scan(this.#client, this.#table, 'sk = :sort AND tenantId = :tenant', values);
    return items.map((item) => v.parse(client, item)).sort((a, b) => a.clientId.localeCompare(b.clientId));
  }

  /** @returns false if the tenant is suspended, its settings changed since they were read, or the id is another tenant's */
  async add(added: Required<TenantClient>, { stored, settings }: StoredProfile): Promise<boolean> {
    const put: Write = {
      Put: {
        TableName: this.#table,
        Item: { ...tenantKeys.client(added.clientId), ...added, settings },
        // The tenant's own item may be there: the answer of an earlier attempt was lost.
        ConditionExpression: 'attribute_not_exists(pk) OR tenantId = :tenant',
        ExpressionAttributeValues: { ':tenant': added.tenantId },
      },
    };
    const isActive = 'settings = :now AND attribute_not_exists(suspendedAt)';
    return await this.#isWritten([this.#profileHas(added.tenantId, isActive, stored), put]);
  }

  /**
   * Copies its tenant's settings to a client, if they are still the current ones: of two changes at once, the later wins.
   *
   * @returns false if they are not, or the client is gone
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
    return await this.#isWritten([this.#profileHas(tenantId, 'settings = :now', settings), copy]);
  }

  /**
   * Copies its tenant's suspension to a client, or ends it, if the profile still says the same.
   *
   * @returns false if it does not, or the client is gone
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
    return await this.#isWritten([this.#profileHas(tenantId, condition, suspendedAt), copy]);
  }

  /** Does nothing for a client that was deleted meanwhile. */
  async setScopes({ clientId, scopes }: TenantClient): Promise<void> {
    await this.#isWritten([
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

  /** @param now the value of `:now`, if the condition has it */
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

  async #isWritten(writes: Write[]): Promise<boolean> {
    try {
      await retryOnConflict(async () => await transact(this.#client, writes));
      return true;
    } catch (error) {
      if (error instanceof ConditionsFailed) return false;
      throw error;
    }
  }
}

export const clientStoreOf = ({ clients, tables }: Deployment): ClientStore =>
  new ClientStore(clients.dynamodb, tables.tenants);

/** @throws {CommandError} if there is no such client */
export async function requireClient(deployment: Deployment, clientId: string): Promise<TenantClient> {
  const found = await clientStoreOf(deployment).find(clientId);
  if (found) return found;
  throw new CommandError(
    `There is no client ${clientId} in ${deployment.name}.`,
    '"omi client list <tenant>" shows the clients of a tenant.',
  );
}
