import { v7 as uuidv7 } from 'uuid';
import { testAgent, testIntentOf } from '../kernel/test-users.ts';
import { type OwnLogType, type OwnPublicType, ownProducerId } from './own-events.ts';
import { rfc3339 } from '../kernel/time.ts';

/** Metadata of both categories. */
type Metadata = {
  agent?: string;
  eventId: string;
  hostIp?: string;
  metadataVersion: '1.0';
  /** As the producer wrote it. */
  occurredTime: string;
  producerId: string;
  producerInstanceId: string;
  producerVersion?: string;
  tenantId: string;
  tags?: string[];
  traceId?: string;
  type: string;
};

/** A business-meaningful change of state. */
export type PublicEvent = {
  metadata: Metadata & { aggregateId: string; category: 'public'; payloadVersion: string };
  payload: Record<string, unknown>;
};

/** An entry of the audit trail. */
export type LogEvent = {
  metadata: Metadata & { category: 'log'; description: string };
  payload?: unknown;
};

export type Event = PublicEvent | LogEvent;

/** The service as a producer of events. */
export type Producer = { instanceId: string; version: string };

/** The call that an event comes from. */
export type Origin = { traceId: string; hostIp?: string };

/** What every operation needs to know of the request that it serves. */
export type RequestContext = {
  /** Milliseconds since 1970: one moment for the whole request. */
  now: number;
  origin: Origin;
};

/** A state change of this service, in the terms of its event. */
export type StateChange = {
  tenantId: string;
  /** Whose change it is. Absent for what belongs to several users. */
  userId?: string;
  aggregateId: string;
  type: OwnPublicType;
  /** The first version whose published schema allows this payload; 1.0 if absent. */
  payloadVersion?: '1.0' | '1.1';
  tag: 'CREDENTIAL_MANAGEMENT' | 'CREDENTIAL_VERIFICATION';
  payload: Record<string, unknown>;
  /** When it happened, if not now. */
  occurredAt?: number;
  /** When the aggregate's previous event was accepted. */
  after?: number;
  /** When the confirmation expires, which must then be checked. */
  expiresAt?: number;
  /** How the client is notified of the end of its confirmation. */
  notify?: string;
};

/** In the metadata of the service's own events. */
export const producedBy = ({ instanceId, version }: Producer) => ({
  producerId: ownProducerId,
  producerInstanceId: instanceId,
  producerVersion: version,
});

/** What somebody did, in the terms of its log event. */
export type LoggedAct = {
  tenantId: string;
  /** Who did it. The events of one agent keep their order. */
  agent: string;
  type: OwnLogType;
  description: string;
  tag: 'CREDENTIAL_MANAGEMENT' | 'LIFECYCLE' | 'PRIVACY';
  payload: Record<string, unknown>;
};

/** Tells a tenant, in its log, what was done. */
export const logEventOf = (
  { tag, payload, ...act }: LoggedAct,
  { now, origin }: RequestContext,
  producer: Producer,
): LogEvent => ({
  metadata: {
    ...act,
    category: 'log',
    eventId: uuidv7(),
    ...(origin.hostIp !== undefined && { hostIp: origin.hostIp }),
    metadataVersion: '1.0',
    occurredTime: rfc3339(now),
    ...producedBy(producer),
    tags: [tag],
    traceId: origin.traceId,
  },
  payload,
});

/** An event, and the time that orders it among those of its aggregate. */
export type RecordedEvent = { event: PublicEvent; acceptedAt: number };

/**
 * The event of a state change. The order of an aggregate's events holds even where the clocks of two Lambdas
 * disagree by milliseconds.
 */
export function eventOf(
  change: StateChange,
  { now, origin }: RequestContext,
  producer: Producer,
): RecordedEvent {
  const { tenantId, userId, aggregateId, type, tag, payload } = change;
  const { payloadVersion = '1.0', occurredAt = now, after = 0 } = change;
  return {
    event: {
      metadata: {
        ...(userId !== undefined && { agent: testIntentOf(userId) ? testAgent : userId }),
        aggregateId,
        category: 'public',
        eventId: uuidv7(),
        ...(origin.hostIp && { hostIp: origin.hostIp }),
        metadataVersion: '1.0',
        occurredTime: rfc3339(occurredAt),
        payloadVersion,
        ...producedBy(producer),
        tenantId,
        tags: [tag],
        traceId: origin.traceId,
        type,
      },
      payload,
    },
    acceptedAt: Math.max(now, after + 1),
  };
}
