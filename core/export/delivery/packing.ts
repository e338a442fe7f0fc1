import type { StoredEvent } from '../../events/event-stream.ts';
import { laneCount, propertiesOf, type Destination } from '../kinds/records.ts';
import type { RecordLimits, KindProperties } from '../kinds/kind-properties.ts';
import { laneIndex, lanesOf, type Lane } from '../targets/lanes.ts';

/** `{"events":[…]}`, one record of a stream or one line of an object. */
export type PackedRecord = {
  lane: Lane;
  data: Buffer;
  /** How many events are inside. */
  size: number;
  /** Position of the earliest of them in what was packed. */
  first: number;
  /** No call carries another record of its lane. */
  alone?: true;
};

/** Something to pack: an event, or several with commas between them, and how many. */
export type Packable = StoredEvent & { count?: number };

export type PackingOptions = {
  /** How many lanes the target has. */
  lanes: number;
  lineEnd: KindProperties['lineEnd'];
  /** Below what a record can hold. */
  limits?: RecordLimits;
  /** How many events the first record of a lane has; each one behind it has up to twice as many. Without an answer the lane has no such limit. */
  firstSize?: (lane: Lane) => number | undefined;
};

export type Packed = {
  /** In order within each lane. */
  records: PackedRecord[];
  /** Positions of the entries that no record can hold. */
  oversized: number[];
};

export function packingOf(destination: Destination): PackingOptions {
  const { lineEnd, limits } = propertiesOf(destination);
  return { lanes: laneCount(destination), lineEnd, ...(limits && { limits }) };
}

const head = '{"events":[';
const tail = ']}';
const frame = head.length + tail.length;

/**
 * A Firehose record's limit, 1,000 KiB. Kinesis (1 MiB with the partition key) and SQS (1 MiB with attributes) take more.
 * With the smallest limit each packed record can be delivered, parked and delivered again unchanged.
 */
export const largestRecord = 1_024_000;

/** A record that was packed for a stream may become a line of a bucket later. */
const room = largestRecord - '\n'.length;

const noLimits: RecordLimits = { events: Infinity, bytes: Infinity };

/** SQS replaces these characters (its messages are text of XML 1.0). Escaped as JSON, they survive parking. */
const unparkable = /[\ufffe\uffff]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16)}`;

/** What of the entry goes into a record, and how many bytes that is. */
function measure(event: string): { part: string; bytes: number } {
  const bytes = Buffer.byteLength(event);
  if (bytes === event.length) return { part: event, bytes };
  const part = event.replace(unparkable, escaped);
  return { part, bytes: Buffer.byteLength(part) };
}

/** The events of a packed record, among those that were packed. */
export function eventsOf<Event extends StoredEvent>(
  { lane, first, size }: PackedRecord,
  events: readonly Event[],
  oversized: readonly number[],
): Event[] {
  const [index, count] = lane.split('/').map(Number);
  return events
    .filter(
      ({ orderingKey }, position) =>
        position >= first && laneIndex(orderingKey, count ?? 1) === index && !oversized.includes(position),
    )
    .slice(0, size);
}

/** The entries of a packed record, with commas between them: they can be packed again, as one. */
export function unpack(record: string): string {
  if (!record.startsWith(head) || !record.endsWith(tail)) throw new Error('The text is not a packed record');
  return record.slice(head.length, -tail.length);
}

/** A record while it fills. */
type Filling = { parts: string[]; bytes: number; events: number; first: number };

/** A lane while its records are made. `most`: events of the next one. */
type Packing = { lane: Lane; filling: Filling | undefined; most: number; grows: boolean };

function close({ parts, bytes, events, first }: Filling, lane: Lane, lineEnd: string): PackedRecord {
  const text = `${head}${parts.join(',')}${tail}${lineEnd}`;
  // Where every character is a byte, copying is quicker than encoding.
  const data = Buffer.from(text, text.length === bytes + lineEnd.length ? 'latin1' : 'utf8');
  return { lane, data, size: events, first };
}

/**
 * Packs events into as few records as their lanes allow, each as full as possible: Kinesis and Firehose round each record
 * up to a billed unit. Sizes are bytes of UTF-8. An event that does not fit begins the next record of its lane, which
 * keeps the order.
 */
export function pack(
  events: readonly Packable[],
  { lanes: count, lineEnd, limits = noLimits, firstSize = () => undefined }: PackingOptions,
): Packed {
  const most = Math.min(room, limits.bytes);
  const closed: PackedRecord[] = [];
  const oversized: number[] = [];
  const lanes = lanesOf(count).map((lane): Packing => {
    const first = firstSize(lane);
    const most = Math.min(limits.events, first ?? Infinity);
    return { lane, filling: undefined, most, grows: first !== undefined };
  });
  const end = (current: Packing): void => {
    if (!current.filling) return;
    const record = close(current.filling, current.lane, lineEnd);
    closed.push(current.grows ? { ...record, alone: true } : record);
    current.filling = undefined;
    current.most = Math.min(limits.events, 2 * current.most);
  };

  events.forEach(({ orderingKey, event, count: size = 1 }, position) => {
    const { part, bytes } = measure(event);
    const current = lanes[laneIndex(orderingKey, count)];
    if (!current || frame + bytes > room) {
      oversized.push(position);
      return;
    }
    const { filling } = current;
    if (filling && (filling.bytes + 1 + bytes > most || filling.events + size > current.most)) end(current);
    // One comma less than parts.
    current.filling ??= { parts: [], bytes: frame - 1, events: 0, first: position };
    current.filling.parts.push(part);
    current.filling.bytes += 1 + bytes;
    current.filling.events += size;
  });
  lanes.forEach(end);
  return { records: closed, oversized };
}
