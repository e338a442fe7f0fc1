/**
 * The form of CloudEvents 1.0, for targets whose tenants ask for it. The event itself stays the text that was recorded.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
 */
import { eventsOf } from '../delivery/split-events.ts';
import type { Target } from '../targets/target.ts';

type Metadata = { aggregateId?: string; eventId: string; occurredTime: string; type: string };

const metadataOf = (event: string): Metadata => (JSON.parse(event) as { metadata: Metadata }).metadata;

/** The type that the producer gave it. */
export const typeOf = (event: string): string => metadataOf(event).type;

const iso8601 = /^(.{10}T\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?(?:Z|([+-]\d\d):?(\d\d)?)$/;

/** Producers may leave out seconds and an offset's minutes, and write a comma (ISO 8601); RFC 3339 allows none of it. */
const rfc3339Of = (occurredTime: string): string =>
  occurredTime.replace(
    iso8601,
    (_, start: string, seconds = ':00', fraction?: string, hours?: string, minutes = '00') =>
      [start, seconds, fraction && `.${fraction}`, hours ? `${hours}:${minutes}` : 'Z'].join(''),
  );

/** @param source a URI reference */
export function cloudEvent(event: string, source: string): string {
  const { eventId: id, type, aggregateId: subject, occurredTime } = metadataOf(event);
  const attributes = { specversion: '1.0', id, source, type, subject, time: rfc3339Of(occurredTime) };
  const around = JSON.stringify({ ...attributes, datacontenttype: 'application/json' });
  return `${around.slice(0, -1)},"data":${event}}`;
}

/** Who writes the events of a tenant. */
export const sourceOf = (baseUrl: string, { tenantId }: Pick<Target, 'tenantId'>): string =>
  `${baseUrl}/${tenantId}`;

/** The events of a packed record, as a batch in JSON. */
export const cloudEventBatch = (record: Buffer, source: string): Buffer =>
  Buffer.from(
    `[${eventsOf(record)
      .map((event) => cloudEvent(event, source))
      .join(',')}]`,
  );
