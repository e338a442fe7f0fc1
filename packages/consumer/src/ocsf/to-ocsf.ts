import type { Event } from '../event.ts';
import { momentOf, offsetOf } from '../moment.ts';
import { attest, type Evidence } from './attestation.ts';
import { classify, severities } from './classes.ts';
import { mappingOf } from './mappings.ts';
import type { Mapping } from './mapping.ts';
import { OCSF_VERSION, type OcsfEvent } from './ocsf-event.ts';

export type OcsfOptions = {
  /** The evidence of a confirmation or a denial becomes an attestation (profile `record_integrity`). */
  evidence?: Evidence;
};

/**
 * An event in the form of OCSF 1.9. What has no attribute there is in `unmapped`.
 *
 * @throws {ConsumerError} `malformed-time`, or `evidence-mismatch`
 */
export function toOcsf(event: Event, { evidence }: OcsfOptions = {}): OcsfEvent {
  const mapping = mappingOf(event);
  const attestation = evidence && attest(event, evidence);
  return {
    ...classify(mapping.className, mapping.activity),
    ...severities[mapping.severity],
    time: Math.round(momentOf(event)),
    timezone_offset: offsetOf(event),
    message: mapping.message,
    metadata: metadataOf(event, attestation !== undefined),
    ...mapping.attributes,
    ...originOf(event, mapping),
    ...(attestation && { attestation_list: [attestation] }),
    unmapped: { ...unmappedOf(event, mapping), ...evidence },
  };
}

function metadataOf({ metadata }: Event, isAttested: boolean): OcsfEvent['metadata'] {
  const { producerId, producerVersion, eventId, occurredTime, type, category, tenantId, traceId, tags } =
    metadata;
  return {
    version: OCSF_VERSION,
    product: { name: producerId, ...(producerVersion !== undefined && { version: producerVersion }) },
    uid: eventId,
    original_event_uid: eventId,
    original_time: occurredTime,
    event_code: type,
    log_name: category,
    log_provider: 'OMI',
    tenant_uid: tenantId,
    ...(traceId !== undefined && { correlation_uid: traceId }),
    ...(tags && { labels: tags }),
    ...(isAttested && { profiles: ['record_integrity'] }),
  };
}

/** The base class has no attribute for an endpoint, but it lists what can be searched for. */
function originOf({ metadata: { hostIp } }: Event, { className }: Mapping): Partial<OcsfEvent> {
  if (hostIp === undefined) return {};
  if (className !== 'base') return { src_endpoint: { ip: hostIp } };
  return { observables: [{ name: 'unmapped.hostIp', type: 'IP Address', type_id: 2, value: hostIp }] };
}

/** Fields of the metadata that every OCSF event has a place for. */
const mappedFields = new Set([
  'category',
  'description',
  'eventId',
  'occurredTime',
  'producerId',
  'producerVersion',
  'tags',
  'tenantId',
  'traceId',
  'type',
]);

function unmappedOf({ metadata, payload }: Event, { className, mapped }: Mapping): Record<string, unknown> {
  // Classes of people and devices have the actor and the endpoint. User Management names no actor here.
  const hasOrigin = className !== 'base';
  const isMapped = (field: string): boolean =>
    mappedFields.has(field) ||
    (field === 'hostIp' && hasOrigin) ||
    (field === 'agent' && hasOrigin && className !== 'userManagement');
  const fields = Object.entries(metadata).filter(([field]) => !isMapped(field));
  return { ...Object.fromEntries(fields), ...payloadRest(payload, mapped) };
}

function payloadRest(payload: unknown, mapped: readonly string[]): { payload?: unknown } {
  if (payload === undefined) return {};
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return { payload };
  const rest = Object.entries(payload).filter(([member]) => !mapped.includes(member));
  return rest.length === 0 ? {} : { payload: Object.fromEntries(rest) };
}
