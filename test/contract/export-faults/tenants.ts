/** Tenants beside the two that have clients: what they record is written as the service writes it. */
import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { EventStore } from '../../../core/events/event-store.ts';
import type { Event } from '../../../core/events/event.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import type { StackFile } from '../../../tools/local/client/local-stack.ts';
import { accessAs } from '../../../tools/local/seed/aws-access.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { createdEvent } from '../events/event.ts';
import type { Register } from '../export/register.ts';

export async function newTenant(register: Register, destination: StreamDestination): Promise<TargetRef> {
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  await register.activate(ref, destination);
  return ref;
}

export class Outbox {
  readonly #dynamodb: DynamoDBClient;
  readonly #events: EventStore;

  constructor({ aws }: StackFile) {
    this.#dynamodb = new DynamoDBClient(accessAs('OUTBOX', aws, 'dynamodb'));
    this.#events = new EventStore(DynamoDBDocumentClient.from(this.#dynamodb), localTables.events);
  }

  /** @returns the event's id */
  async record({ tenantId }: TargetRef): Promise<string> {
    const event = createdEvent(tenantId);
    await this.#events.append(tenantId, [event as Event]);
    return event.metadata.eventId;
  }

  close(): void {
    this.#dynamodb.destroy();
  }
}
