/** Reads what OMI delivers: the data of a record of a stream, or the lines of an object in a bucket. */

export type Event = {
  metadata: {
    category: string;
    eventId: string;
    metadataVersion: string;
    occurredTime: string;
    tenantId: string;
    type: string;
    /** Public events alone have these two. */
    aggregateId?: string;
    payloadVersion?: string;
    [later: string]: unknown;
  };
  payload?: unknown;
};

/** The events of one record, or of one line. */
export function unwrap(data: string | Uint8Array): Event[] {
  const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
  const { events } = JSON.parse(text) as { events?: Event[] };
  if (!Array.isArray(events)) throw new Error('This is no record of OMI');
  return events;
}

/** The events of an object. A line ends with \n and nothing else: U+2028, at which `readline` cuts, may be in a text. */
export const unwrapLines = (text: string): Event[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap(unwrap);

const time = /^(.{10}T\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)$/;

/** Milliseconds since 1970. Producers may write any ISO 8601, also forms that `Date` does not know. */
export function momentOf({ metadata: { occurredTime } }: Event): number {
  const [, minute = '', second = '00', fraction = '0', hours = '+00', minutes = '00'] =
    time.exec(occurredTime) ?? [];
  return Date.parse(`${minute}:00${hours}:${minutes}`) + Number(`${second}.${fraction}`) * 1000;
}

/** For what was read from a bucket. Events of the same moment stay as they were. */
export const sortByTime = (events: Event[]): Event[] => events.toSorted((a, b) => momentOf(a) - momentOf(b));

/** The ids of the last so many events. */
export class SeenEvents {
  readonly #keys = new Set<string>();
  readonly #capacity: number;

  constructor(capacity = 100_000) {
    this.#capacity = capacity;
  }

  has(event: Event): boolean {
    return this.#keys.has(keyOf(event));
  }

  add(event: Event): void {
    this.#keys.add(keyOf(event));
    for (const oldest of this.#keys) {
      if (this.#keys.size <= this.#capacity) break;
      this.#keys.delete(oldest);
    }
  }
}

/** With the tenant: a stream may serve several. */
const keyOf = ({ metadata: { tenantId, eventId } }: Event): string => `${tenantId}/${eventId}`.toLowerCase();

type Handler = (event: Event) => void | Promise<void>;

export type Handlers = {
  /** By type and major version of the payload: `UserSignedInEvent 1`. */
  public: Partial<Record<string, Handler>>;
  log: Handler;
  /** A type or a major version that this program does not know. */
  other: Handler;
};

const majorOf = (version = ''): string => version.split('.')[0] ?? '';

function handlerOf({ metadata }: Event, handlers: Handlers): Handler {
  const { category, metadataVersion, payloadVersion, type } = metadata;
  if (majorOf(metadataVersion) !== '1') return handlers.other;
  if (category === 'log') return handlers.log;
  return handlers.public[`${type} ${majorOf(payloadVersion)}`] ?? handlers.other;
}

/** Handles events one after the other, each once. An event whose handler throws is not seen: it comes again. */
export async function handle(events: Event[], handlers: Handlers, seen: SeenEvents): Promise<void> {
  for (const event of events) {
    if (seen.has(event)) continue;
    await handlerOf(event, handlers)(event);
    seen.add(event);
  }
}
