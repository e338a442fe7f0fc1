import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readTarget } from '../../core/export/targets/target-store.ts';
import type { Target } from '../../core/export/targets/target.ts';
import type { Item } from '../../core/aws/dynamodb-client.ts';
import { scan } from '../deployment/table-client.ts';

/** Where a target's item does not make sense, its key. */
export type Catalogue = { targets: Target[]; malformed: string[] };

/** Targets of one tenant or of all, as operators look at them: the tenants table. */
export class TargetCatalogue {
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
    const items = await scan(this.#client, this.#table, 'begins_with(sk, :target)', {
      ':target': 'target#',
    });
    return catalogueOf(items);
  }
}

function catalogueOf(items: readonly Item[]): Catalogue {
  const read = items.map((item) => ({ item, target: readTarget(item) }));
  return {
    targets: read.flatMap(({ target }) => target ?? []),
    malformed: read.flatMap(({ item, target }) =>
      target ? [] : `${String(item['pk'])} ${String(item['sk'])}`,
    ),
  };
}
