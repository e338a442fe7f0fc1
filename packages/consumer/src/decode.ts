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

export type DecodeOptions = {
  /**
   * Numbers that a double would round, such as 12345678901234567890, become their text. Without it they are rounded, as by
   * `JSON.parse`.
   */
  keepNumbers?: boolean;
};

/** Up to 15 digits, a double gives back what was written. */
function isRounded(value: number, source: string): boolean {
  const digits = source.replace(/e.*/i, '').replaceAll(/\D/g, '').replace(/^0+/, '');
  const isHeld = Number.isFinite(value) && digits.length <= 15 && (value !== 0 || digits === '');
  return !isHeld && JSON.stringify(value) !== source;
}

/** ECMAScript's JSON.parse source text access, which TypeScript does not know yet. */
const keepRounded = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && isRounded(value, context.source)
    ? context.source
    : value;

/** Since Node.js 21. Without it the option would do nothing. */
const knowsSources = (): boolean =>
  JSON.parse('1', (_name: string, _value: unknown, context?: { source?: string }) => context?.source) === '1';

function parse(text: string, { keepNumbers = false }: DecodeOptions): unknown {
  if (keepNumbers && !knowsSources())
    throw new ConsumerError('invalid-options', 'keepNumbers needs Node.js 22 or newer.');
  try {
    return JSON.parse(text, keepNumbers ? keepRounded : undefined);
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
export const decodeRecord = (data: string | Uint8Array, options: DecodeOptions = {}): Event[] =>
  eventsIn(parse(textOf(data), options));

export type ObjectBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * The events of an object in a bucket, line by line, so that memory holds only one line.
 *
 * @param body the object's text or bytes, or a stream of bytes such as the `Body` of the AWS SDK
 * @throws {ConsumerError} `malformed-record`, with the line and its first byte
 */
export async function* decodeObject(body: ObjectBody, options: DecodeOptions = {}): AsyncGenerator<Event> {
  yield* readLines(body, (line) => decodeRecord(line, options));
}

/**
 * What is read of each line that is not empty.
 *
 * @throws {ConsumerError} `malformed-record`, with the line and its first byte
 */
export async function* readLines<Item>(
  body: ObjectBody,
  read: (line: Uint8Array) => Item[],
): AsyncGenerator<Item> {
  for await (const { bytes, number, start } of linesOf(body)) {
    let items: Item[];
    try {
      items = read(bytes);
    } catch (cause) {
      if (!(cause instanceof ConsumerError) || cause.code !== 'malformed-record') throw cause;
      const detail = `Line ${number}, which begins at byte ${start}, is not a record of OMI.`;
      throw new ConsumerError('malformed-record', detail, { cause });
    }
    yield* items;
  }
}

/** Line and byte are counted as editors and range requests count them: from 1, and from 0. */
type Line = { bytes: Uint8Array; number: number; start: number };

/** A line ends with a line feed alone: other characters that end a line for some programs may be inside a text. */
async function* linesOf(body: ObjectBody): AsyncGenerator<Line> {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  let open: Uint8Array[] = [];
  let number = 1;
  let start = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      const bytes = Buffer.concat([...open, chunk.subarray(from, end)]);
      if (bytes.length > 0) yield { bytes, number, start };
      open = [];
      number += 1;
      start += bytes.length + 1;
      from = end + 1;
    }
    open.push(chunk.subarray(from));
  }
  const bytes = Buffer.concat(open);
  if (bytes.length > 0) yield { bytes, number, start };
}
