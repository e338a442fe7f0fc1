import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { eventOf, type RequestContext, type Producer, type StateChange } from './event.ts';
import { transact, type Write } from '../aws/dynamodb-client.ts';
import { eventWrites } from './event-items.ts';

/**
 * Commits state together with its events: no state without its event, no event without its state. The events table is the outbox; its stream carries the events on.
 */
export class Outbox {
  readonly #client: DynamoDBDocumentClient;
  readonly #eventsTable: string;
  readonly #producer: Producer;

  constructor(client: DynamoDBDocumentClient, eventsTable: string, producer: Producer) {
    this.#client = client;
    this.#eventsTable = eventsTable;
    this.#producer = producer;
  }

  /**
   * One transaction; the positions of a {@link ConditionsFailed} are those of `writes`.
   *
   * @throws {ConditionsFailed} {@link ConflictError}
   */
  async commit(writes: Write[], changes: StateChange[], context: RequestContext): Promise<void> {
    const events = changes.flatMap((change) => {
      const { event, acceptedAt } = eventOf(change, context, this.#producer);
      const { tenantId, expiresAt, notify, after } = change;
      const took = after === undefined ? undefined : acceptedAt - after;
      const acceptance = {
        tenantId,
        events: [event],
        acceptedAt,
        by: 'service' as const,
        expiresAt,
        notify,
        took,
      };
      return eventWrites(this.#eventsTable, acceptance);
    });
    await transact(this.#client, [...writes, ...events]);
  }
}
