import { splitEvents } from '../../delivery/split-events.ts';
import { unpack } from '../../delivery/packing.ts';

/** Of all events of the service. */
export const source = 'omi';

/** The type that the producer gave it. Only that is read: the event itself stays the text that was recorded. */
export const typeOf = (event: string): string =>
  (JSON.parse(event) as { metadata: { type: string } }).metadata.type;

/** The events of a packed record, each as the text that was recorded. */
export const eventsOf = (data: Buffer): string[] => splitEvents(unpack(data.toString()));
