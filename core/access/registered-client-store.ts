import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isClientId, parseClientItem, requesterOf, tenantOf } from '../tenants/client-item.ts';
import { tenantKeys } from '../tenants/tenant-keys.ts';
import { clientOauth, type ClientOauth, type RegisteredClient } from './registered-client.ts';

type Item = Record<string, unknown>;

/** A client of an issuer of the operator's own has no such item, unless it has keys. */
function parseOauth(item: Item = { scopes: [] }): ClientOauth {
  const result = v.safeParse(clientOauth, item);
  if (result.success) return result.output;
  // Only the paths: a message would quote the value, which may be a secret's hash.
  const paths = result.issues.map((issue) => v.getDotPath(issue) ?? '');
  throw new Error(`The item ${String(item['pk'])} oauth is malformed: ${paths.join(', ')}`);
}

/** The clients of the tenants table, for the endpoints at which clients authenticate themselves. */
export class RegisteredClientStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read, eventually consistent. Undefined if there is no such client; a suspended tenant's client is found. */
  async find(clientId: string): Promise<RegisteredClient | undefined> {
    if (!isClientId(clientId)) return undefined;
    const items = await this.#read(clientId);
    const assigned = items.get(tenantKeys.client(clientId).sk);
    if (!assigned) return undefined;
    const tenant = tenantOf(parseClientItem(assigned));
    const { tenantId, settings, suspendedAt, callback } = tenant;
    const { secrets, ...oauth } = parseOauth(items.get(tenantKeys.clientOauth(clientId).sk));
    return {
      ...oauth,
      secretHashes: secrets.map(({ hash }) => hash),
      clientId,
      tenantId,
      settings,
      requester: requesterOf(tenant, clientId),
      ...(suspendedAt !== undefined && { suspendedAt }),
      ...(callback && { callback }),
    };
  }

  /** The items by their sort keys. Those of callbacks, with their sealed secrets, sort before and are not read. */
  async #read(clientId: string): Promise<Map<unknown, Item>> {
    const { pk, sk: first } = tenantKeys.client(clientId);
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': pk,
          ':first': first,
          ':last': tenantKeys.clientOauth(clientId).sk,
        },
      }),
    );
    return new Map(Items.map((item) => [item['sk'], item]));
  }
}
