import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { EventStore } from '../../../core/events/event-store.ts';
import type { Event } from '../../../core/events/event.ts';
import { categoryOf, type TargetRef } from '../../../core/events/target-ref.ts';
import { hours } from '../../../core/kernel/time.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';

/** An event as a service of the platform records it. */
export function newEvent(ref: TargetRef, eventId: string = randomUUID()): Event {
  const [tenantId, category] = [ref.tenantId, categoryOf(ref)];
  const common = {
    eventId,
    metadataVersion: '1.0' as const,
    occurredTime: '2026-03-01T09:30:00Z',
    producerId: 'identity',
    producerInstanceId: 'identity-1',
    tenantId,
  };
  return category === 'log'
    ? { metadata: { ...common, category, description: 'x', type: 'SomethingEvent' } }
    : {
        metadata: {
          ...common,
          category,
          aggregateId: randomUUID(),
          payloadVersion: '1.0',
          type: 'UserCreatedEvent',
        },
        payload: { userId: 'alice' },
      };
}

/** The beginning of an hour whose ledger is final. */
export const earlierHour = (): number => Math.floor((Date.now() - 3 * hours) / hours) * hours;

/** Records events as if they had been accepted in {@link earlierHour}, or at another time. The stack exports them like all others. */
export async function recordEarlier(
  stack: TestStack,
  ref: TargetRef,
  count: number,
  start = earlierHour(),
): Promise<Event[]> {
  const events = Array.from({ length: count }, () => newEvent(ref));
  await using(new DynamoDBClient(accessAs('OPERATOR', stack.file.aws, 'dynamodb')), async (client) => {
    for (let index = 0; index < count; index += 50) {
      const store = new EventStore(
        DynamoDBDocumentClient.from(client),
        localTables.events,
        () => start + index,
      );
      await store.append(ref.tenantId, events.slice(index, index + 50));
    }
  });
  return events;
}
