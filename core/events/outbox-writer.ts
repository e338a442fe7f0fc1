import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { eventOf, type Call, type Producer, type StateChange } from './event.ts';
import { transact, type Write } from '../aws/dynamodb-client.ts';
import { eventWrites } from './event-items.ts';

/**
 * Commits state together with the events that tell of it: no state without its event, no event without its
 * state. The events table is the outbox; its stream carries the events on.
 */
export class Ledger {
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
   * @throws {ConditionsFailed} {@link Contended}
   */
  async commit(writes: Write[], changes: StateChange[], call: Call): Promise<void> {
    const events = changes.flatMap((change) => {
      const { event, acceptedAt } = eventOf(change, call, this.#producer);
      const { tenantId, expiresAt, after } = change;
      const took = after === undefined ? undefined : acceptedAt - after;
      return eventWrites(this.#eventsTable, { tenantId, events: [event], acceptedAt, expiresAt, took });
    });
    await transact(this.#client, [...writes, ...events]);
  }
}
