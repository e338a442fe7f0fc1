import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../core/aws/dynamodb-client.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { readTarget } from '../../core/export/targets/target-item.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { scan } from '../deployment/table-client.ts';

/** `malformed` has the keys of malformed items. */
export type Catalogue = { targets: Target[]; malformed: string[] };

/** The targets of one tenant or of all, in the tenants table. */
class CatalogueStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async ofTenant(tenantId: string): Promise<Catalogue> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :tenant AND begins_with(sk, :target)',
        ExpressionAttributeValues: { ':tenant': `tenant#${tenantId}`, ':target': 'target#' },
        ConsistentRead: true,
      }),
    );
    return catalogueOf(Items);
  }

  async all(): Promise<Catalogue> {
    const values = { ':target': 'target#' };
    return catalogueOf(await scan(this.#client, this.#table, 'begins_with(sk, :target)', values));
  }
}

export const catalogueStoreOf = ({ clients, tables }: Deployment): CatalogueStore =>
  new CatalogueStore(clients.dynamodb, tables.tenants);

function catalogueOf(items: readonly Item[]): Catalogue {
  const read = items.map((item) => ({ item, target: readTarget(item) }));
  return {
    targets: read.flatMap(({ target }) => target ?? []),
    malformed: read.flatMap(({ item, target }) =>
      target ? [] : `${String(item['pk'])} ${String(item['sk'])}`,
    ),
  };
}

/**
 * For the end of a command that has shown the well-formed targets.
 *
 * @throws {CommandError} if an item is malformed
 */
export function requireWellFormed({ malformed }: Catalogue): void {
  if (malformed.length === 0) return;
  throw new CommandError(
    `These items of the tenants table are malformed: ${malformed.join(', ')}.`,
    'Correct them by hand, or register the targets again with "omi target set".',
  );
}
