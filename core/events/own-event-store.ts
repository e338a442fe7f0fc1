import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ConditionsFailed, transact } from '../aws/dynamodb-client.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import type { Event } from './event.ts';
import { eventWrites } from './event-items.ts';

/** Events of the service about changes that are committed already, in the events table. */
export class OwnEvents {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One that is known stays as it is. */
  async record(event: Event, acceptedAt: number): Promise<void> {
    const { tenantId } = event.metadata;
    const writes = eventWrites(this.#table, { tenantId, events: [event], acceptedAt, by: 'service' });
    try {
      await retryOnConflict(async () => await transact(this.#client, writes));
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
    }
  }
}
