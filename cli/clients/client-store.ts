import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { ConditionsFailed, type Item, transact, type Write } from '../../core/aws/dynamodb-client.ts';
import { CallbackStore } from '../../core/callbacks/callback-store.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { scan } from '../deployment/table-client.ts';
import type { Profile, StoredProfile } from '../tenants/profile-store.ts';
import { additionOf, changeOf, type ClientChanges, removalOf } from './client-writes.ts';
import { clientsOf, type NamedClient, type TenantClient } from './tenant-client.ts';

type Condition = {
  condition: string;
  names?: Record<string, string>;
  values?: Record<string, unknown>;
};

type Replacement = { clientId: string; isDeleted: boolean };

/** A client in whose place another one is made. `deleted`: the one that was made before, and is deleted. */
export type Replaced = { clientId: string; deleted?: string | undefined };

const profileIs = ({ name, settings }: { name: string; settings: unknown }): Condition => ({
  condition: 'settings = :settings AND #name = :name',
  names: { '#name': 'name' },
  values: { ':settings': settings, ':name': name },
});

/**
 * The clients in the tenants table. The item that assigns a client to its tenant has a copy of the tenant's name and settings.
 * The others exist only with it.
 */
export class ClientStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #receivers: CallbackStore;

  constructor(dynamodb: DynamoDBDocumentClient, table: string) {
    this.#client = dynamodb;
    this.#table = table;
    this.#receivers = new CallbackStore(dynamodb, table);
  }

  async find(clientId: string): Promise<TenantClient | undefined> {
    const request = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': tenantKeys.client(clientId).pk },
      ConsistentRead: true,
    };
    const items: Item[] = [];
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, request)) items.push(...Items);
    return clientsOf(items)[0];
  }

  /** The clients of all tenants, without how they authenticate themselves and where callbacks go. Scans the table. */
  async list(): Promise<TenantClient[]> {
    const { sk } = tenantKeys.client('');
    return clientsOf(await scan(this.#client, this.#table, 'sk = :client', { ':client': sk }));
  }

  /** Everything that the table has of clients. Scans the table. */
  async items(): Promise<Item[]> {
    return await scan(this.#client, this.#table, 'begins_with(pk, :client)', {
      ':client': tenantKeys.client('').pk,
    });
  }

  /** Scans the table: it has no index by tenant. */
  async ofTenant(tenantId: string): Promise<TenantClient[]> {
    const values = { ':client': tenantKeys.client('').pk, ':tenant': tenantId };
    const filter = 'begins_with(pk, :client) AND tenantId = :tenant';
    const items = await scan(this.#client, this.#table, filter, values);
    return clientsOf(items).sort((a, b) => a.clientId.localeCompare(b.clientId));
  }

  /** The client that was made in place of this one, and may be deleted since. */
  async replacementOf({ tenantId, clientId }: TenantClient): Promise<Replacement | undefined> {
    const Key = tenantKeys.replacement(tenantId, clientId);
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
    );
    const made = Item && String(Item['clientId']);
    return made === undefined ? undefined : { clientId: made, isDeleted: !(await this.find(made)) };
  }

  /**
   * @param replaces the client in whose place it is. Of two at once, one is added
   * @returns false if the tenant is suspended, its name or settings changed since they were read, the id is another tenant's, or another
   * client took that place
   */
  async add(
    added: NamedClient,
    { stored, settings, name }: StoredProfile,
    replaces?: Replaced,
  ): Promise<boolean> {
    const { condition, ...unchanged } = profileIs({ name, settings: stored });
    const isActive = { condition: `${condition} AND attribute_not_exists(suspendedAt)`, ...unchanged };
    return await this.#isWritten([
      this.#profileHas(added.tenantId, isActive),
      ...additionOf(added, { tenantName: name, settings }, this.#place()),
      ...(replaces === undefined ? [] : [this.#replacement(added, replaces)]),
    ]);
  }

  /** @returns false if the client was deleted meanwhile */
  async change(before: TenantClient, changes: ClientChanges): Promise<boolean> {
    return await this.#isWritten(changeOf(before, changes, this.#place()));
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

  /**
   * Writes the items of a client that the table lacks, with the present name, settings and suspension of its tenant.
   *
   * @returns false if the table has an item of it, or the tenant was changed since it was read
   */
  async putBack(
    { tenantId, name, settings, stored, suspendedAt }: StoredProfile,
    items: readonly Item[],
  ): Promise<boolean> {
    const { condition, names, values } = profileIs({ name, settings: stored });
    const isSuspended = suspendedAt !== undefined;
    const suspension = isSuspended ? 'suspendedAt = :at' : 'attribute_not_exists(suspendedAt)';
    const puts = items.map((item): Write => {
      const isAssignment = item['sk'] === tenantKeys.client('').sk;
      const Item = isAssignment ? { ...item, tenantName: name, settings, suspendedAt } : item;
      return { Put: { TableName: this.#table, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
    });
    return await this.#isWritten([
      this.#profileHas(tenantId, {
        condition: `${condition} AND ${suspension}`,
        ...(names && { names }),
        values: { ...values, ...(isSuspended && { ':at': suspendedAt }) },
      }),
      ...puts,
    ]);
  }

  /** Deletes all items of a client at once, so that none stays behind. */
  async remove({ clientId }: Pick<TenantClient, 'clientId'>): Promise<void> {
    await this.#isWritten(removalOf(clientId, this.#place()));
  }

  #replacement({ tenantId, clientId }: NamedClient, replaced: Replaced): Write {
    return {
      Put: {
        TableName: this.#table,
        Item: { ...tenantKeys.replacement(tenantId, replaced.clientId), clientId },
        ConditionExpression: 'attribute_not_exists(pk) OR clientId = :deleted',
        ExpressionAttributeValues: { ':deleted': replaced.deleted ?? '' },
      },
    };
  }

  #place() {
    return { table: this.#table, receivers: this.#receivers, now: Date.now() };
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
