import { GetCommand, paginateScan, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { covers, type StaffMember } from '../access/staff-member.ts';
import type { Item } from '../aws/dynamodb-client.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { parseClientItem } from '../tenants/client-item.ts';
import { parseProfile, tenantState, type Profile } from '../tenants/profile.ts';
import { tenantKeys } from '../tenants/tenant-keys.ts';
import type { ActContext, StaffLog } from './staff-log.ts';

const clientPrefix = tenantKeys.client('').pk;

/** The tenants and their clients, in the tenants table, which has few items for each tenant. */
export class TenantDirectory {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read. A deleted tenant is not found. */
  async find(tenantId: string): Promise<Profile | undefined> {
    const Key = tenantKeys.profile(tenantId);
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
    );
    const profile = Item && parseProfile(Item);
    return profile?.deletedAt === undefined ? profile : undefined;
  }

  /** Scans the table. */
  async list(): Promise<Profile[]> {
    const items = await this.#scan('sk = :profile AND attribute_not_exists(deletedAt)', {
      ':profile': tenantKeys.profile('').sk,
    });
    return items.map(parseProfile).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** The clients of a tenant, without how they authenticate themselves. Scans the table: it has no index by tenant. */
  async clientsOf(tenantId: string): Promise<StaffClientView[]> {
    const items = await this.#scan('sk = :client AND tenantId = :tenant', {
      ':client': tenantKeys.client('').sk,
      ':tenant': tenantId,
    });
    return items.map(clientView).sort((a, b) => a.clientId.localeCompare(b.clientId));
  }

  async #scan(filter: string, values: Item): Promise<Item[]> {
    const request = {
      TableName: this.#table,
      FilterExpression: filter,
      ExpressionAttributeValues: values,
    };
    const found: Item[] = [];
    for await (const { Items = [] } of paginateScan({ client: this.#client }, request)) found.push(...Items);
    return found;
  }
}

/** A client as an operator sees it, never with a secret. */
export type StaffClientView = {
  clientId: string;
  name?: string;
  scopes: string[];
  numberMatching?: string;
  returnOrigins?: string[];
  /** It signs assertions, and has no secret. */
  hasKeys: boolean;
  /** A callback URL is registered. */
  hasCallback: boolean;
};

function clientView(item: Item): StaffClientView {
  const { name, numberMatching, returnOrigins, hasKeys, callback, scopes = [] } = parseClientItem(item);
  return {
    clientId: String(item['pk']).slice(clientPrefix.length),
    ...(name !== undefined && { name }),
    scopes,
    ...(numberMatching && { numberMatching }),
    ...(returnOrigins && { returnOrigins }),
    hasKeys: hasKeys === true,
    hasCallback: callback === true,
  };
}

/** A tenant as all of its help desk sees it. */
export const tenantView = ({ tenantId, name, settings, ...times }: Profile) => ({
  tenantId,
  name,
  state: tenantState(times),
  furtherDevices: settings.furtherDevices,
  recoveryBy: settings.recoveryBy,
});

/**
 * Checked before anything is read, so that the answer does not say whether a tenant exists.
 *
 * @throws {Refusal} `not-your-tenant`
 */
export function requireCovered(member: StaffMember, tenantId: string): void {
  if (covers(member, tenantId)) return;
  throw new Refusal('not-your-tenant', 'You are not in the help desk of this tenant.');
}

/** @throws {Refusal} `not-your-tenant`, `tenant-not-found` */
export async function requireTenant(
  tenants: Pick<TenantDirectory, 'find'>,
  member: StaffMember,
  tenantId: string,
): Promise<Profile> {
  requireCovered(member, tenantId);
  const found = await tenants.find(tenantId);
  if (found) return found;
  throw new Refusal('tenant-not-found', 'There is no such tenant.');
}

/**
 * The tenant of a user whose devices are to be asked. Those of a suspended tenant show nothing, so nobody could answer.
 *
 * @throws {Refusal} `not-your-tenant`, `tenant-not-found`, `tenant-suspended`
 */
export async function requireActiveTenant(
  ...[tenants, member, tenantId]: Parameters<typeof requireTenant>
): Promise<Profile> {
  const found = await requireTenant(tenants, member, tenantId);
  if (found.suspendedAt === undefined) return found;
  throw new Refusal(
    'tenant-suspended',
    'The tenant is suspended, so the devices of its users show nothing. Ask when it is resumed.',
  );
}

/**
 * A tenant with its settings and clients, for operators.
 *
 * @throws {Refusal} `tenant-not-found`
 */
export async function showTenant(
  { tenants, log }: { tenants: TenantDirectory; log: StaffLog },
  tenantId: string,
  context: ActContext,
) {
  const profile = await requireTenant(tenants, context.member, tenantId);
  const clients = await tenants.clientsOf(tenantId);
  const act = {
    tenantId,
    type: 'StaffTenantViewedEvent',
    description: 'An operator looked at the tenant',
    payload: {},
  } as const;
  await retryOnConflict(async () => await log.commit([], act, context));
  return { ...tenantView(profile), settings: profile.settings, clients };
}
