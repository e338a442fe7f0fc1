import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { eventOf, type Call, type Producer, type RecordedEvent, type StateChange } from '../domain/event.ts';
import { hours } from '../domain/time.ts';
import { transact, type Write } from './dynamodb.ts';

const keptFor = 14 * 24 * hours;

/** Sorts as text in the order of acceptance. */
const sequence = (acceptedAt: number): string => String(acceptedAt).padStart(15, '0');

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
    const events = changes.map((change) => this.#append(eventOf(change, call, this.#producer)));
    await transact(this.#client, [...writes, ...events]);
  }

  #append({ event, acceptedAt }: RecordedEvent): Write {
    const { tenantId, aggregateId, category, eventId, type } = event.metadata;
    const hour = new Date(acceptedAt).toISOString().slice(0, 13);
    return {
      Put: {
        TableName: this.#eventsTable,
        Item: {
          pk: `${tenantId}#${aggregateId}`,
          sk: eventId,
          hour: `${tenantId}#${category}#${hour}`,
          sequence: sequence(acceptedAt),
          type,
          event: JSON.stringify(event),
          ttl: Math.ceil((acceptedAt + keptFor) / 1000),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    };
  }
}
