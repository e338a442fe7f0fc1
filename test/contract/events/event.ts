/** Events as the platform's services would record them, each a new one. */
import { randomUUID } from 'node:crypto';

const metadata = (tenantId: string) => ({
  eventId: randomUUID() as string,
  metadataVersion: '1.0',
  occurredTime: '2026-03-01T09:30:00.120+01:00',
  producerId: 'identity',
  producerInstanceId: 'identity-7c9d5',
  tenantId,
});

export const createdEvent = (
  tenantId: string,
  fields: object = {},
  payload: object = { userId: 'alice' },
) => ({
  metadata: {
    ...metadata(tenantId),
    aggregateId: `user-${randomUUID()}`,
    category: 'public',
    payloadVersion: '1.0',
    type: 'UserCreatedEvent',
    ...fields,
  },
  payload,
});

export const logEvent = (tenantId: string, payload: unknown, fields: object = {}) => ({
  metadata: {
    ...metadata(tenantId),
    agent: `user-${randomUUID()}`,
    category: 'log',
    description: 'The password was wrong',
    type: 'PasswordRefusedEvent',
    ...fields,
  },
  payload,
});

export type TestEvent = ReturnType<typeof createdEvent> | ReturnType<typeof logEvent>;
