/** An event as the service delivers it. Fields may be added at any time. */
export type Event = {
  metadata: {
    category: string;
    eventId: string;
    metadataVersion: string;
    occurredTime: string;
    producerId: string;
    producerInstanceId: string;
    tenantId: string;
    type: string;
    /** Only public events have these two. */
    aggregateId?: string;
    payloadVersion?: string;
    /** Only log events have it. */
    description?: string;
    agent?: string;
    hostIp?: string;
    producerVersion?: string;
    tags?: readonly string[];
    traceId?: string;
    [later: string]: unknown;
  };
  payload?: unknown;
};

/**
 * True if your tenant had this event sent as a test. Nothing of it happened: no ledger and no log has it, and its users do not
 * exist.
 */
export const isTest = ({ metadata }: Event): boolean => metadata.producerId === 'omi-test';

/** Identifies an event. Ids are unique within a tenant, and the same in upper and lower case. */
export const keyOf = ({ metadata: { tenantId, eventId } }: Event): string =>
  `${tenantId}/${eventId}`.toLowerCase();

/** Events with the same key arrive in order: those of an aggregate, and the log events of an agent. */
export const orderingKeyOf = ({ metadata }: Event): string => {
  const { category, tenantId, aggregateId, agent, eventId } = metadata;
  return `${tenantId}/${category}/${aggregateId ?? agent ?? eventId}`.toLowerCase();
};
