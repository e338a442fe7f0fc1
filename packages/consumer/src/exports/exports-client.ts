import { setTimeout as sleep } from 'node:timers/promises';
import { tokenSource, type TokenOptions, type TokenSource } from '../../../http/src/access-tokens.ts';
import { exchange, type Http, type HttpAnswer } from '../../../http/src/exchange.ts';
import { withRetries } from '../../../http/src/retries.ts';
import { secondsOf } from '../../../http/src/retry-after.ts';
import { ConsumerError, fail } from '../consumer-error.ts';
import type { Category, Export, LedgerHour, Replay, ReplayRequest, TestOptions } from './types.ts';

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

  /** The destinations and states of your exports. */
  async list(): Promise<Export[]> {
    const { exports } = (await this.#read('/omi/exports')) as { exports?: unknown };
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

  /** Sends earlier events again. They keep their ids and their order. */
  async replay(category: Category, { from, to, types }: ReplayRequest): Promise<Replay> {
    const path = `/omi/exports/${category}/replays`;
    const body = { from: from.toISOString(), to: to.toISOString(), ...(types && { types }) };
    return (await this.#send({ method: 'POST', path, body })) as Replay;
  }

  /** How far a replay is. */
  async replayStatus(category: Category, replayId: string): Promise<Replay> {
    return (await this.#read(`/omi/exports/${category}/replays/${encodeURIComponent(replayId)}`)) as Replay;
  }

  /**
   * Tests an export, and waits until the test has ended.
   *
   * @param options.proof for a bucket: the text in the object that the service wrote there
   * @param options.timeoutMs how long to wait. After that, the test may still be under way.
   */
  async test(category: Category, { proof, timeoutMs = 60_000 }: TestOptions = {}): Promise<Export> {
    const body = proof === undefined ? {} : { proof };
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

  /** Reading may be repeated. */
  async #read(path: string): Promise<unknown> {
    return await withRetries(async () => await this.#send({ method: 'GET', path }));
  }

  async #send({ method, path, body }: ApiCall): Promise<unknown> {
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
    if (typeof answer.body === 'object' && answer.body !== null) return answer.body;
    throw unexpected();
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
