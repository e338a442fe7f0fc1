import { randomUUID } from 'node:crypto';
import type { Event } from '#consumer';

export const tenantId = '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';

type Change = { metadata?: Partial<Event['metadata']>; payload?: unknown };

/** A public event of an aggregate. */
export const event = (aggregateId: string, { metadata, payload }: Change = {}): Event => ({
  metadata: {
    aggregateId,
    category: 'public',
    eventId: randomUUID(),
    metadataVersion: '1.0',
    occurredTime: '2026-03-01T09:30:00.123+01:00',
    payloadVersion: '1.0',
    producerId: 'identity',
    producerInstanceId: 'identity-1',
    tenantId,
    type: 'UserCreatedEvent',
    ...metadata,
  },
  payload: payload ?? { userId: aggregateId },
});

export const recordOf = (...events: readonly Event[]): string => JSON.stringify({ events });

export const idsOf = (events: readonly Event[]): string[] => events.map(({ metadata }) => metadata.eventId);
