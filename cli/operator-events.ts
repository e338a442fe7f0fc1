import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { type LogEvent, producedBy, type Producer, type RequestContext } from '../core/events/event.ts';
import { operatorInstanceId, type OwnLogType } from '../core/events/own-events.ts';
import { rfc3339 } from '../core/kernel/time.ts';
import manifest from '../package.json' with { type: 'json' };

/** The producer of the events that the commands record. */
export const producer: Producer = { instanceId: operatorInstanceId, version: manifest.version };

export const operatorContext = (): RequestContext => ({
  now: Date.now(),
  origin: { traceId: `cli-${randomUUID()}` },
});

type OperatorAction = {
  tenantId: string;
  /** The events of one agent keep their order. */
  agent: string;
  type: OwnLogType;
  description: string;
  tag: 'LIFECYCLE' | 'PRIVACY';
  payload: Record<string, unknown>;
};

/** Tells a tenant, in its log, what an operator did. */
export const operatorEvent = (
  { tenantId, agent, type, description, tag, payload }: OperatorAction,
  { now, origin }: RequestContext,
): LogEvent => ({
  metadata: {
    agent,
    category: 'log',
    description,
    eventId: uuidv7(),
    metadataVersion: '1.0',
    occurredTime: rfc3339(now),
    ...producedBy(producer),
    tenantId,
    tags: [tag],
    traceId: origin.traceId,
    type,
  },
  payload,
});
