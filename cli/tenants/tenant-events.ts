import { v7 as uuidv7 } from 'uuid';
import { type RequestContext, type LogEvent, producedBy, type Producer } from '../../core/events/event.ts';
import type { OwnLogType } from '../../core/events/own-events.ts';
import { rfc3339 } from '../../core/kernel/time.ts';

const descriptions = {
  TenantSuspendedEvent: 'An operator suspended the tenant: its clients and devices are shut out',
  TenantResumedEvent: 'An operator resumed the tenant: its clients and devices are let in again',
  TenantDeletedEvent: 'An operator deleted the tenant: its clients, devices and targets are removed',
} as const satisfies Partial<Record<OwnLogType, string>>;

export type TenantEventType = keyof typeof descriptions;

/** Tells the tenant, in its log, what an operator did to it. One agent keeps these events in their order. */
export const tenantEvent = (
  tenantId: string,
  type: TenantEventType,
  { now, origin }: RequestContext,
  producer: Producer,
): LogEvent => ({
  metadata: {
    agent: 'operator',
    category: 'log',
    description: descriptions[type],
    eventId: uuidv7(),
    metadataVersion: '1.0',
    occurredTime: rfc3339(now),
    ...producedBy(producer),
    tenantId,
    tags: ['LIFECYCLE'],
    traceId: origin.traceId,
    type,
  },
  payload: { tenantId },
});
