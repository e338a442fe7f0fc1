import { DeleteCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ConditionsFailed, transact, type Write } from '../../core/aws/dynamodb-client.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { scan } from '../deployment/table-client.ts';
import { numberMatchingModes } from '../../core/tenants/tenant.ts';
import type { Profile, StoredProfile } from '../tenants/profile-store.ts';

const client = v.object({
  clientId: v.string(),
  tenantId: v.string(),
  /** Only clients that the commands made have a name and scopes. */
  name: v.optional(v.string()),
  scopes: v.optional(v.array(v.string())),
  /** Absent: as the tenant's settings say. */
  numberMatching: v.optional(v.picklist(numberMatchingModes)),
});
export type TenantClient = v.InferOutput<typeof client>;
export type NamedClient = TenantClient & { name: string; scopes: string[] };

type Condition = {
  condition: string;
  names?: Record<string, string>;
  values?: Record<string, unknown>;
};

/** Only tenants from before they were named have no name. */
const profileIs = ({ name, settings }: { name: string; settings: unknown }): Condition => ({
  condition: `settings = :settings AND ${name === '' ? 'attribute_not_exists(#name)' : '#name = :name'}`,
  names: { '#name': 'name' },
  values: { ':settings': settings, ...(name !== '' && { ':name': name }) },
});

/** The items of the tenants table that assign clients to tenants, each with a copy of the tenant's name and settings. */
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

  /** @returns false if the tenant is suspended, its name or settings changed since they were read, or the id is another tenant's */
  async add(added: NamedClient, { stored, settings, name }: StoredProfile): Promise<boolean> {
    const put: Write = {
      Put: {
        TableName: this.#table,
        Item: { ...tenantKeys.client(added.clientId), ...added, tenantName: name, settings },
        // The tenant's own item may be there: the answer of an earlier attempt was lost.
        ConditionExpression: 'attribute_not_exists(pk) OR tenantId = :tenant',
        ExpressionAttributeValues: { ':tenant': added.tenantId },
      },
    };
    const { condition, ...unchanged } = profileIs({ name, settings: stored });
    const isActive = { condition: `${condition} AND attribute_not_exists(suspendedAt)`, ...unchanged };
    return await this.#isWritten([this.#profileHas(added.tenantId, isActive), put]);
  }

  /**
   * Copies its tenant's name and settings to a client, if they are still the current ones: of two changes at once, the later
   * wins.
   *
   * @returns false if they are not, or the client is gone
   */
  async copyProfile({ clientId, tenantId }: TenantClient, { name, settings }: Profile): Promise<boolean> {
    const copy: Write = {
      Update: {
        TableName: this.#table,
        Key: tenantKeys.client(clientId),
        UpdateExpression: 'SET settings = :settings, tenantName = :name',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':settings': settings, ':name': name },
      },
    };
    return await this.#isWritten([this.#profileHas(tenantId, profileIs({ name, settings })), copy]);
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
    const isCurrent = isSuspended
      ? { condition: 'suspendedAt = :now', values: { ':now': suspendedAt } }
      : { condition: 'attribute_not_exists(suspendedAt)' };
    return await this.#isWritten([this.#profileHas(tenantId, isCurrent), copy]);
  }

  /** Does nothing for a client that was deleted meanwhile. */
  async setScopes(client: TenantClient): Promise<void> {
    await this.#set(client, 'scopes');
  }

  /** Without a value, the tenant's setting holds again. Does nothing for a client that was deleted meanwhile. */
  async setNumberMatching(client: TenantClient): Promise<void> {
    await this.#set(client, 'numberMatching');
  }

  async #set(client: TenantClient, name: 'scopes' | 'numberMatching'): Promise<void> {
    const value = client[name];
    const isGone = value === undefined;
    await this.#isWritten([
      {
        Update: {
          TableName: this.#table,
          Key: tenantKeys.client(client.clientId),
          UpdateExpression: isGone ? 'REMOVE #name' : 'SET #name = :value',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#name': name },
          ...(!isGone && { ExpressionAttributeValues: { ':value': value } }),
        },
      },
    ]);
  }

  async remove({ clientId }: TenantClient): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: tenantKeys.client(clientId) }));
  }

  #profileHas(tenantId: string, { condition, names, values }: Condition): Write {
    return {
      ConditionCheck: {
        TableName: this.#table,
        Key: tenantKeys.profile(tenantId),
        ConditionExpression: condition,
        ...(names && { ExpressionAttributeNames: names }),
        ...(values && { ExpressionAttributeValues: values }),
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
