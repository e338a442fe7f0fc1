import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../core/devices/device.ts';
import { type RequestContext, type LogEvent, producedBy, type Producer } from '../../core/events/event.ts';
import type { OwnLogType } from '../../core/events/own-events.ts';
import { rfc3339 } from '../../core/kernel/time.ts';

/** What was erased, by number. */
export type Erasure = { devices: number; enrolments: number; confirmations: number };

/** Tells the tenant, too, whose user is to be erased in what was exported. */
export const userErased = (
  { tenantId, userId }: User,
  erasure: Erasure,
  { now, origin }: RequestContext,
  producer: Producer,
): LogEvent => ({
  metadata: {
    agent: userId,
    category: 'log',
    description: 'An operator erased what the service held of the user',
    eventId: uuidv7(),
    metadataVersion: '1.0',
    occurredTime: rfc3339(now),
    ...producedBy(producer),
    tenantId,
    tags: ['PRIVACY'],
    traceId: origin.traceId,
    type: 'UserErasedEvent' satisfies OwnLogType,
  },
  payload: { userId, ...erasure },
});
