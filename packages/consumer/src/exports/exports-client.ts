import { setTimeout as sleep } from 'node:timers/promises';
import { tokenSource, type TokenOptions, type TokenSource } from '../../../http/src/access-tokens.ts';
import { exchange, type Http, type HttpAnswer } from '../../../http/src/exchange.ts';
import { withRetries } from '../../../http/src/retries.ts';
import { secondsOf } from '../../../http/src/retry-after.ts';
import { ConsumerError, fail } from '../consumer-error.ts';
import type { Category, EventName, Export, InclusionProof, LedgerHour } from './types.ts';
import type { LogLeaf, LogMinute, Replay, ReplayRequest, TestOptions } from './types.ts';

export type ExportsOptions = TokenOptions & {
  /** As the operator names it. */
  baseUrl: string;
  /** In place of the runtime's: a proxy, a test. */
  fetch?: typeof globalThis.fetch;
};

type ApiCall = { method: 'GET' | 'POST'; path: string; body?: object };

const patienceMs = 35_000;
/** Milliseconds between two polls of a test. */
const betweenLooksMs = 1_000;
const scopes = ['omi:exports:get', 'omi:exports:post'];

/** The service's API for tenants: the state of your exports, the ledger, replays. */
export class Exports {
  readonly #baseUrl: string;
  readonly #http: Http;
  readonly #tokens: TokenSource;

  constructor({ baseUrl, fetch = globalThis.fetch, ...token }: ExportsOptions) {
    if (!URL.canParse(baseUrl)) throw new ConsumerError('invalid-options', 'baseUrl is not a URL.');
    this.#baseUrl = baseUrl.replace(/\/$/, '');
    this.#http = { fetch, fail };
    this.#tokens = tokenSource(token, { ...this.#http, now: Date.now });
  }

  /** The destinations and states of your exports, and on request how their events look. */
  async list({ samples = false }: { samples?: boolean } = {}): Promise<Export[]> {
    const path = `/omi/exports${samples ? '?samples=true' : ''}`;
    const { exports } = (await this.#read(path)) as { exports?: unknown };
    return listIn<Export>(exports);
  }

  /** How many events the service accepted in each hour, whatever the target's filter. */
  async ledger(category: Category, { from, to }: { from: Date; to: Date }): Promise<LedgerHour[]> {
    const range = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() });
    const { hours } = (await this.#read(`/omi/exports/${category}/ledger?${range.toString()}`)) as {
      hours?: unknown;
    };
    return listIn<LedgerHour>(hours);
  }

  /** The ids of all events that were accepted in an hour of the ledger. */
  async *eventIds(category: Category, hour: string): AsyncGenerator<string> {
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor }).toString()}`;
      const path = `/omi/exports/${category}/ledger/${encodeURIComponent(hour)}${query}`;
      const page = (await this.#read(path)) as { eventIds?: unknown; cursor?: string };
      yield* listIn<string>(page.eventIds);
      ({ cursor } = page);
    } while (cursor !== undefined);
  }

  /**
   * The state of the log, signed now if it has grown. Keep it where the service cannot change it.
   *
   * @param generation an earlier log, which a restore has ended: its last checkpoint
   * @throws {ConsumerError} `not-in-log` if there is no such log
   */
  async checkpoint(category: Category, generation?: number): Promise<string> {
    const path = `/omi/exports/${category}/log/checkpoint${queryOf({ generation })}`;
    const { text } = await withRetries(async () => await this.#call({ method: 'GET', path }));
    return text;
  }

  /** The minutes of a range that have events, oldest first. A range of more than five days may be refused. */
  async logMinutes(
    category: Category,
    { from, to }: { from: Date; to: Date },
    generation?: number,
  ): Promise<LogMinute[]> {
    const query = queryOf({ from: from.toISOString(), to: to.toISOString(), generation });
    const path = `/omi/exports/${category}/log/minutes${query}`;
    return listIn<LogMinute>(((await this.#read(path)) as { minutes?: unknown }).minutes);
  }

  /** The leaves of a minute in their order. */
  async *logLeaves(category: Category, minute: string, generation?: number): AsyncGenerator<LogLeaf> {
    let cursor: string | undefined;
    let position = 0;
    do {
      const query = queryOf({ cursor, generation });
      const path = `/omi/exports/${category}/log/minutes/${encodeURIComponent(minute)}${query}`;
      const page = (await this.#read(path)) as LeavesPage;
      for (const leaf of leavesIn(page, position)) {
        yield leaf;
        position += 1;
      }
      ({ cursor } = page);
    } while (cursor !== undefined);
  }

  /**
   * Proves that an event is in the log.
   *
   * @param size of a checkpoint; by default of the one that is served
   * @throws {ConsumerError} `not-in-log`
   */
  async inclusionProof(
    category: Category,
    { eventId, aggregateId, agent }: EventName,
    size?: number,
    generation?: number,
  ): Promise<InclusionProof> {
    const query = queryOf({ eventId, aggregateId, agent, size, generation });
    const path = `/omi/exports/${category}/log/proofs/inclusion${query}`;
    return (await this.#read(path)) as InclusionProof;
  }

  /** Proves that the log of one size begins with that of an earlier one. Hashes in base64. */
  async consistencyProof(
    category: Category,
    { from, to }: { from: number; to: number },
    generation?: number,
  ): Promise<string[]> {
    const path = `/omi/exports/${category}/log/proofs/consistency${queryOf({ from, to, generation })}`;
    return listIn<string>(((await this.#read(path)) as { path?: unknown }).path);
  }

  /** Sends earlier events again. They keep their ids and their order. */
  async replay(category: Category, asked: ReplayRequest): Promise<Replay> {
    const path = `/omi/exports/${category}/replays`;
    // Its dates become RFC 3339 texts.
    return (await this.#send({ method: 'POST', path, body: asked })) as Replay;
  }

  /** Sends one event of the last 14 days again, as a replay of its own. */
  async sendEvent(category: Category, eventId: string): Promise<Replay> {
    const path = `/omi/exports/${category}/events/${encodeURIComponent(eventId)}/send`;
    return (await this.#send({ method: 'POST', path })) as Replay;
  }

  /** How far a replay is. */
  async replayStatus(category: Category, replayId: string): Promise<Replay> {
    return (await this.#read(`/omi/exports/${category}/replays/${encodeURIComponent(replayId)}`)) as Replay;
  }

  /** Tests an export, and waits until the test has ended. */
  async test(category: Category, { timeoutMs = 60_000, ...body }: TestOptions = {}): Promise<Export> {
    let latest = (await this.#send({
      method: 'POST',
      path: `/omi/exports/${category}/test`,
      body,
    })) as Export;
    const asked = latest.lastTest?.requestedAt ?? '';
    const end = Date.now() + timeoutMs;
    while (!hasEnded(latest, asked) && Date.now() < end) {
      await sleep(betweenLooksMs);
      latest = (await this.list()).find((one) => one.category === category) ?? latest;
    }
    return latest;
  }

  /** Events wait until the export is resumed, for 14 days at most. */
  async pause(category: Category): Promise<Export> {
    return (await this.#send({ method: 'POST', path: `/omi/exports/${category}/pause` })) as Export;
  }

  /** The events that waited are delivered first. Only the operator can resume what the operator paused. */
  async resume(category: Category): Promise<Export> {
    return (await this.#send({ method: 'POST', path: `/omi/exports/${category}/resume` })) as Export;
  }

  /**
   * Leaves missing what the export gave up, for a reason that the tenant's log then has. Safe to repeat.
   *
   * @param reason for people: one line of up to 256 characters
   */
  async dismiss(category: Category, reason: string): Promise<Export> {
    const body = { reason };
    return (await this.#send({ method: 'POST', path: `/omi/exports/${category}/dismiss`, body })) as Export;
  }

  /** Reading may be repeated. */
  async #read(path: string): Promise<unknown> {
    return await withRetries(async () => await this.#send({ method: 'GET', path }));
  }

  async #send(call: ApiCall): Promise<unknown> {
    const { body } = await this.#call(call);
    if (typeof body === 'object' && body !== null) return body;
    throw unexpected();
  }

  async #call({ method, path, body }: ApiCall): Promise<HttpAnswer> {
    const answer = await exchange(this.#http, {
      method,
      url: `${this.#baseUrl}${path}`,
      headers: {
        authorization: `Bearer ${await this.#tokens.token(...scopes)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      patienceMs: patienceMs,
    });
    if (!answer.ok) throw refusalOf(answer);
    return answer;
  }
}

/** The query of a call, without what is undefined. */
function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

type LeavesPage = { leaves?: unknown; erased?: { leafIndex: number; hash: string }[]; cursor?: string };

/** The leaves of a page, with those of erased events at their positions. */
function* leavesIn({ leaves, erased = [] }: LeavesPage, first: number): Generator<LogLeaf> {
  const gone = new Map(erased.map(({ leafIndex, hash }) => [leafIndex, hash]));
  const texts = listIn<string>(leaves).values();
  const count = listIn<string>(leaves).length + erased.length;
  for (let position = first; position < first + count; position += 1) {
    const hash = gone.get(position);
    const [eventId = '', digest = ''] = hash === undefined ? String(texts.next().value).split(' ') : [];
    yield hash === undefined ? { eventId, digest } : { hash };
  }
}

/** True if a test has ended that was asked for then or later. Times of the service sort as text. */
const hasEnded = ({ lastTest }: Export, asked: string): boolean =>
  lastTest?.endedAt !== undefined && lastTest.requestedAt >= asked;

const unexpected = (): ConsumerError =>
  new ConsumerError('unexpected-answer', 'The answer is not in the format of the service.');

function listIn<T>(value: unknown): T[] {
  if (Array.isArray(value)) return value as T[];
  throw unexpected();
}

function refusalOf({ status, headers, body }: HttpAnswer): ConsumerError {
  const { code, detail } = (body ?? {}) as { code?: unknown; detail?: unknown };
  return new ConsumerError(
    typeof code === 'string' ? code : 'unexpected-answer',
    typeof detail === 'string' ? detail : `The service answered ${status}.`,
    { status, retryAfter: secondsOf(headers.get('retry-after')) },
  );
}
