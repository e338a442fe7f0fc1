import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type EventName, keyOf } from './event-keys.ts';

/** When events were accepted, by their names. */
export class AcceptanceStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** The sequence of the item that an event is in, which begins with the time of its acceptance. */
  async find(tenantId: string, event: EventName): Promise<string | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: keyOf(tenantId, event),
        ProjectionExpression: '#sequence, carrier',
        ExpressionAttributeNames: { '#sequence': 'sequence' },
        ConsistentRead: true,
      }),
    );
    const sequence: unknown = Item?.['sequence'] ?? Item?.['carrier'];
    return typeof sequence === 'string' ? sequence : undefined;
  }
}
