import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { IndexItem } from '../../core/events/event-index-store.ts';
import type { CommittedEvent } from '../../core/events/event-stream.ts';

type Events = readonly CommittedEvent[];

/** The items of events, in the events table. */
export class EventItems {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Removes events of an item, which may have others. The items of those that were accepted with its first event only reserve
   * their ids.
   *
   * @param its the item's events
   */
  async remove(
    { pk, sk, sequence }: IndexItem,
    { its, erased }: { its: Events; erased: Events },
  ): Promise<void> {
    const key = { pk: pk?.S, sk: sk?.S };
    const ids = erased.map(({ event }) => eventIdIn(event).toLowerCase());
    for (const id of ids) if (id !== key.sk) await this.#delete({ ...key, sk: id });
    const rest = its.filter((one) => !erased.includes(one));
    if (rest.length === 0) await this.#delete(key);
    else await this.#keep(key, rest, sequence?.S);
  }

  async #delete(Key: Record<string, unknown>): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key }));
  }

  async #keep(Key: Record<string, unknown>, rest: Events, sequence: string | undefined): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key,
        UpdateExpression: 'SET #events = :events, #ids = :ids',
        ConditionExpression: '#sequence = :sequence',
        ExpressionAttributeNames: { '#events': 'events', '#ids': 'ids', '#sequence': 'sequence' },
        ExpressionAttributeValues: {
          ':events': rest.map(({ type, event }) => ({ type, event })),
          ':ids': rest.map(({ type, event }) => `${type} ${eventIdIn(event)}`),
          ':sequence': sequence,
        },
      }),
    );
  }
}

export const eventIdIn = (event: string): string =>
  (JSON.parse(event) as { metadata: { eventId: string } }).metadata.eventId;
