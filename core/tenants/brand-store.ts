import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { BrandedTenant, Logo } from './brand.ts';
import { tenantKeys } from './tenant-keys.ts';

const uuid = v.pipe(v.string(), v.uuid());

/** DynamoDB rejects keys of other forms, such as very long ones. */
const isTenantId = (text: string): boolean => v.is(uuid, text);

/** The brands of tenants, for apps. The commands write them, and check them before. */
export class BrandStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read. A deleted tenant is not found. */
  async find(tenantId: string): Promise<BrandedTenant | undefined> {
    if (!isTenantId(tenantId)) return undefined;
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: tenantKeys.profile(tenantId),
        ProjectionExpression: 'tenantId, #name, brand, deletedAt',
        ExpressionAttributeNames: { '#name': 'name' },
      }),
    );
    return Item && Item['deletedAt'] === undefined ? (Item as BrandedTenant) : undefined;
  }

  /** One read. */
  async findLogo(tenantId: string): Promise<Logo | undefined> {
    if (!isTenantId(tenantId)) return undefined;
    const Key = tenantKeys.logo(tenantId);
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.#table, Key }));
    return Item as Logo | undefined;
  }
}
