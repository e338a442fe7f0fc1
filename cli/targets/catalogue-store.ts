import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Item } from '../../core/aws/dynamodb-client.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { readTarget, targetPrefix } from '../../core/export/targets/target-item.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { CommandError } from '../command-error.ts';
import { labels as labelsSchema, type Labels } from '../tenants/labels.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { scan } from '../deployment/table-client.ts';

/** What the operator knows of the tenant of a target. */
export type TenantOfTarget = { name: string; labels?: Labels | undefined };

/** `malformed` has the keys of malformed items, `profiles` the items of tenants, and `tenants` the same by their ids. */
export type Catalogue<One = Target> = {
  targets: One[];
  malformed: string[];
  profiles: Item[];
  tenants: ReadonlyMap<string, TenantOfTarget>;
};

const profileSort = 'profile';
/** Targets, and the profiles with the names of their tenants. */
const ofTargets = 'begins_with(sk, :target) OR sk = :profile';

/** With what their sort keys begin, and how they are read. */
type Items<One> = { prefix: string; read: (item: Item) => One | undefined };

/** The targets of one tenant or of all, in the tenants table. */
export class CatalogueStore<One = Target> {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #items: Items<One>;

  constructor({ clients, tables }: Deployment, items: Items<One>) {
    this.#client = clients.dynamodb;
    this.#table = tables.tenants;
    this.#items = items;
  }

  async ofTenant(tenantId: string): Promise<Catalogue<One>> {
    const [{ Items = [] }, { Item: profile }] = await Promise.all([
      this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          KeyConditionExpression: 'pk = :tenant AND begins_with(sk, :target)',
          ExpressionAttributeValues: { ':tenant': `tenant#${tenantId}`, ':target': this.#items.prefix },
          ConsistentRead: true,
        }),
      ),
      this.#client.send(new GetCommand({ TableName: this.#table, Key: tenantKeys.profile(tenantId) })),
    ]);
    return catalogueOf(profile ? [...Items, profile] : Items, this.#items.read);
  }

  async all(): Promise<Catalogue<One>> {
    const values = { ':target': this.#items.prefix, ':profile': profileSort };
    return catalogueOf(await scan(this.#client, this.#table, ofTargets, values), this.#items.read);
  }
}

export const catalogueStoreOf = (deployment: Deployment): CatalogueStore =>
  new CatalogueStore(deployment, { prefix: targetPrefix, read: readTarget });

function catalogueOf<One>(items: readonly Item[], readItem: Items<One>['read']): Catalogue<One> {
  const [profiles, others] = partition(items);
  const read = others.map((item) => ({ item, target: readItem(item) }));
  return {
    targets: read.flatMap(({ target }) => target ?? []),
    malformed: read.flatMap(({ item, target }) =>
      target ? [] : `${String(item['pk'])} ${String(item['sk'])}`,
    ),
    profiles,
    tenants: new Map(
      profiles.map(({ tenantId, name, labels }) => [
        String(tenantId),
        { name: String(name), ...(v.is(labelsSchema, labels) && { labels }) },
      ]),
    ),
  };
}

const partition = (items: readonly Item[]): [Item[], Item[]] => [
  items.filter(({ sk }) => sk === profileSort),
  items.filter(({ sk }) => sk !== profileSort),
];

/**
 * For the end of a command that has shown the well-formed targets.
 *
 * @throws {CommandError} if an item is malformed
 */
export function requireWellFormed({ malformed }: Pick<Catalogue, 'malformed'>): void {
  if (malformed.length === 0) return;
  throw new CommandError(
    `These items of the tenants table are malformed: ${malformed.join(', ')}.`,
    'Correct them by hand, or register the targets again with "omi target set".',
  );
}
