import { PutCommand, QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../aws/dynamodb-client.ts';
import type { PublishedKey } from './published-key.ts';

/** All keys are in one partition of the tenants table, which is kept for ever and has no time to live. */
const partition = 'keys';

const toKey = (item: Item): PublishedKey => item['key'] as PublishedKey;

/** The record of all keys that the service ever signed with. Nothing removes one. */
export class PublishedKeyStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read: a stage has few keys in its life. In the order of their use and `kid`. */
  async list(): Promise<PublishedKey[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :keys',
        ExpressionAttributeValues: { ':keys': partition },
        ConsistentRead: true,
      }),
    );
    return Items.map(toKey);
  }

  async put(key: PublishedKey): Promise<void> {
    const Item = { pk: partition, sk: `${key.for}#${key.jwk.kid}`, key };
    await this.#client.send(new PutCommand({ TableName: this.#table, Item }));
  }
}
