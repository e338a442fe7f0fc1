import { AsyncLocalStorage } from 'node:async_hooks';
import type { BankSession } from '../sessions.ts';
import { eventStream } from './event-stream.ts';
import { type LiveLog, memoryLog, type Topic } from './log.ts';
import { redacted } from './redact.ts';

/** More windows than anybody looks at. */
const mostOfASession = 6;

/** The live streams that are open, by session: they end with it. */
export class OpenStreams {
  readonly #bySession = new Map<string, Set<AbortController>>();

  /** Beyond the limit the oldest stream of the session ends. */
  open(sessionId: string): AbortController {
    const streams = this.#bySession.get(sessionId) ?? new Set();
    const [oldest] = streams;
    if (streams.size >= mostOfASession) oldest?.abort();
    const opened = new AbortController();
    this.#bySession.set(sessionId, streams.add(opened));
    return opened;
  }

  closed(sessionId: string, stream: AbortController): void {
    const streams = this.#bySession.get(sessionId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#bySession.delete(sessionId);
  }

  close(sessionId: string): void {
    for (const stream of this.#bySession.get(sessionId) ?? []) stream.abort();
  }
}

/** An exported event, in the parts that the bank looks at. */
export type ExportedEvent = {
  metadata: { eventId: string; occurredTime: string };
  payload: { userId?: string };
};

/** Where exported events come from. They are read only while somebody looks. */
export type EventFeed = { watch(onEvent: (event: ExportedEvent) => void): () => void };

export type LiveFeedOptions = {
  log?: LiveLog;
  events?: EventFeed | undefined;
  now?: () => number;
};

const topicsOf = ({ id, userId }: BankSession): Topic[] => [`session:${id}`, `user:${userId}`];

/** What happens behind the bank's page, for the session that it happens for. */
export class LiveFeed {
  readonly #log: LiveLog;
  readonly #events: EventFeed | undefined;
  readonly #now: () => number;
  readonly #current = new AsyncLocalStorage<BankSession>();
  readonly #streams = new OpenStreams();
  readonly #known = new Set<string>();
  #watchers = 0;
  #stopWatching: (() => void) | undefined;

  constructor({ log, events, now = Date.now }: LiveFeedOptions = {}) {
    this.#now = now;
    this.#log = log ?? memoryLog(now);
    this.#events = events;
  }

  /** What the work calls is the session's. */
  async during<T>(session: BankSession, work: () => Promise<T>): Promise<T> {
    return await this.#current.run(session, work);
  }

  /** A `fetch` for {@link Omi}: the calls of the API are shown to the session that they are made for. */
  recording(baseUrl: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const session = this.#current.getStore();
      const { method, url, body } = requestOf(input, init);
      if (!session || !url.startsWith(`${baseUrl}/omi/`)) return await fetch(input, init);
      const [at, begun] = [this.#now(), performance.now()];
      const response = await fetch(input, init);
      const answer = await response.clone().text();
      const ms = Math.round(performance.now() - begun);
      const path = url.slice(baseUrl.length);
      const call = redacted({ at, method, path, request: body, status: response.status, answer, ms });
      this.#log.append(`session:${session.id}`, { name: 'call', at, data: call });
      return response;
    };
  }

  /** `GET /bank/live`: server-sent events. */
  open(session: BankSession, request: Request): Response {
    const lastEventId = Number(request.headers.get('last-event-id') ?? 0);
    const closing = this.#streams.open(session.id);
    const stopWatching = this.#watch();
    return eventStream({
      log: this.#log,
      topics: topicsOf(session),
      since: session.signedInAt,
      lastEventId: Number.isSafeInteger(lastEventId) ? lastEventId : 0,
      signal: AbortSignal.any([request.signal, closing.signal]),
      onEnd: () => {
        this.#streams.closed(session.id, closing);
        stopWatching();
      },
    });
  }

  /** The session is over. */
  end(session: BankSession): void {
    this.#streams.close(session.id);
    this.#log.end(`session:${session.id}`);
  }

  #watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1) this.#stopWatching = this.#events?.watch((event) => this.#publish(event));
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#stopWatching?.();
    };
  }

  #publish(event: ExportedEvent): void {
    const { eventId, occurredTime } = event.metadata;
    const { userId } = event.payload;
    // Delivery is at least once.
    if (userId === undefined || this.#known.has(eventId)) return;
    remember(this.#known, eventId);
    const at = Date.parse(occurredTime);
    this.#log.append(`user:${userId}`, { name: 'event', at, data: event });
  }
}

const mostKnown = 500;

function remember(known: Set<string>, eventId: string): void {
  const [oldest] = known;
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
  known.add(eventId);
}

function requestOf(input: string | URL | Request, init: RequestInit = {}) {
  const url = input instanceof Request ? input.url : String(input);
  const { method = 'GET', body } = init;
  return { method, url, body: typeof body === 'string' ? body : undefined };
}
