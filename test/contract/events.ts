import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { WebsiteClient } from '../../client/website-client.ts';
import { newUser } from './scenario.ts';

/** A public event with every field, of an aggregate of its own, that nobody has recorded before. */
export const newEvent = (tenantId: string) => ({
  metadata: {
    agent: 'agent',
    aggregateId: newUser(),
    category: 'public',
    eventId: randomUUID(),
    hostIp: '192.0.2.1',
    metadataVersion: '1.0',
    occurredTime: new Date().toISOString(),
    payloadVersion: '1.0',
    producerId: 'directory',
    producerInstanceId: 'directory-1',
    producerVersion: '1.0.0',
    tenantId,
    tags: ['PROFILE'],
    traceId: 'trace',
    type: 'UserBlockedEvent',
  },
  payload: { userId: 'user', reason: 'fraud' },
});

export const postEvents = async (website: WebsiteClient, ...events: object[]) =>
  await website.call({ method: 'POST', path: '/omi/events', json: { events } }, v.unknown());
