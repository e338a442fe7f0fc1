/** What the service exports, as a tenant's consumer reads it. */
import * as v from 'valibot';
import { ClientError } from './http.ts';

/** The members of an event that its consumers need. */
const exportedEventSchema = v.looseObject({
  metadata: v.looseObject({
    category: v.picklist(['public', 'log']),
    eventId: v.string(),
    tenantId: v.string(),
    type: v.string(),
    aggregateId: v.optional(v.string()),
  }),
  payload: v.optional(v.unknown()),
});
export type ExportedEvent = v.InferOutput<typeof exportedEventSchema>;

/** `{"events":[…]}` and nothing else. The record of a test of a target has no events. */
const wrapperSchema = v.strictObject({ events: v.array(exportedEventSchema) });

/** The events of a stream's record, or of an object's line. */
export function unwrap(text: string): ExportedEvent[] {
  try {
    const wrapper: unknown = JSON.parse(text);
    v.assert(wrapperSchema, wrapper);
    // Not the output of the schema, which has the members in another order.
    return wrapper.events;
  } catch (error) {
    throw new ClientError(`This is not a record of events: ${text.slice(0, 200)}`, { cause: error });
  }
}

/** A line ends with a line feed and nothing else; one that is cut off is no line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new ClientError('The last line does not end');
  return lines;
}
