import { ConsumerError } from './consumer-error.ts';
import type { Event } from './event.ts';

/** Invalid UTF-8 is a fault, not a replacement character. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

const required = ['category', 'eventId', 'metadataVersion', 'occurredTime', 'tenantId', 'type'];

function isEvent(value: unknown): value is Event {
  const { metadata } = (value ?? {}) as { metadata?: unknown };
  if (typeof metadata !== 'object' || metadata === null) return false;
  return required.every((field) => typeof (metadata as Record<string, unknown>)[field] === 'string');
}

/** @throws {ConsumerError} `malformed-record` if it is not `{"events":[…]}` */
export function eventsIn(value: unknown): Event[] {
  const { events } = (value ?? {}) as { events?: unknown };
  if (Array.isArray(events) && events.every(isEvent)) return events;
  throw new ConsumerError('malformed-record', 'The data is not a record of OMI.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConsumerError('malformed-record', 'The data is not JSON.', { cause });
  }
}

/** @throws {ConsumerError} `malformed-record` if bytes are not UTF-8 */
export function textOf(data: string | Uint8Array): string {
  if (typeof data === 'string') return data;
  try {
    return utf8.decode(data);
  } catch (cause) {
    throw new ConsumerError('malformed-record', 'The data is not UTF-8.', { cause });
  }
}

/**
 * The events of a record of a stream, or of a line of an object. A test of the target has none.
 *
 * @param data text or bytes; the base64 text of a Lambda's event is not decoded here
 * @throws {ConsumerError} `malformed-record`
 */
export const decodeRecord = (data: string | Uint8Array): Event[] => eventsIn(parse(textOf(data)));

/**
 * The events of an object in a bucket, line by line, so that memory holds only one line.
 *
 * @param body the object's text or bytes, or a stream of bytes such as the `Body` of the AWS SDK
 * @throws {ConsumerError} `malformed-record`
 */
export async function* decodeObject(
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
): AsyncGenerator<Event> {
  for await (const line of linesOf(body)) yield* decodeRecord(line);
}

/** A line ends with a line feed alone: other characters that end a line for some programs may be inside a text. */
export async function* linesOf(
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  let open: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      open.push(chunk.subarray(start, end));
      yield* nonEmpty(open);
      open = [];
      start = end + 1;
    }
    open.push(chunk.subarray(start));
  }
  yield* nonEmpty(open);
}

function* nonEmpty(parts: Uint8Array[]): Generator<Uint8Array> {
  const line = Buffer.concat(parts);
  if (line.length > 0) yield line;
}
