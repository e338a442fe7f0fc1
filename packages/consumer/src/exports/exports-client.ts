import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerError } from '../consumer-error.ts';
import { tokenSource, type TokenOptions } from './access-token.ts';
import type { Category, Export, LedgerHour, Replay, ReplayRequest, TestOptions } from './types.ts';

export type ExportsOptions = TokenOptions & {
  /** As the operator names it. */
  baseUrl: string;
  /** In place of the runtime's: a proxy, a test. */
  fetch?: typeof globalThis.fetch;
};

type ApiCall = { method: 'GET' | 'POST'; path: string; body?: object };

const PATIENCE_MS = 35_000;
/** Milliseconds before each repetition of a call that only reads. */
const pauses = [300, 1_000, 2_500];
/** Milliseconds between two looks at a test. */
const BETWEEN_LOOKS_MS = 1_000;
/** Seconds: the caller decides about a longer pause. */
const LONGEST_PAUSE = 10;

/** The service's API for tenants: the state of your exports, the ledger, replays. */
export class Exports {
  readonly #baseUrl: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #token: () => Promise<string>;

  constructor({ baseUrl, fetch = globalThis.fetch, ...token }: ExportsOptions) {
    if (!URL.canParse(baseUrl)) throw new ConsumerError('invalid-options', 'baseUrl is not a URL.');
    this.#baseUrl = baseUrl.replace(/\/$/, '');
    this.#fetch = fetch;
    this.#token = tokenSource(token, ['omi:exports:get', 'omi:exports:post'], fetch);
  }

  /** Where your events go, and how they fare. */
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
      await sleep(BETWEEN_LOOKS_MS);
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
    for (let attempt = 0; ; attempt += 1)
      try {
        return await this.#send({ method: 'GET', path });
      } catch (error) {
        const pause = pauses[attempt];
        if (pause === undefined || !isTransient(error)) throw error;
        await sleep(Math.max((error.retryAfter ?? 0) * 1000, pause));
      }
  }

  async #send({ method, path, body }: ApiCall): Promise<unknown> {
    const authorization = `Bearer ${await this.#token()}`;
    const fetch = this.#fetch;
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((): never => {
      throw new ConsumerError('network', 'The service gave no answer.');
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw refusalOf(response, answer);
    if (typeof answer === 'object' && answer !== null) return answer;
    throw unexpected();
  }
}

/** True if a test has ended that was asked for then or later. Times of the service sort as text. */
const hasEnded = ({ lastTest }: Export, asked: string): boolean =>
  lastTest?.endedAt !== undefined && lastTest.requestedAt >= asked;

const unexpected = (): ConsumerError =>
  new ConsumerError('unexpected-answer', 'The answer has another form than the service gives it.');

function listIn<T>(value: unknown): T[] {
  if (Array.isArray(value)) return value as T[];
  throw unexpected();
}

function isTransient(error: unknown): error is ConsumerError {
  if (!(error instanceof ConsumerError) || (error.retryAfter ?? 0) > LONGEST_PAUSE) return false;
  return error.code === 'network' || error.status === 429 || (error.status ?? 0) >= 500;
}

function refusalOf({ status, headers }: Response, answer: unknown): ConsumerError {
  const { code, detail } = (answer ?? {}) as { code?: unknown; detail?: unknown };
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new ConsumerError(
    typeof code === 'string' ? code : 'unexpected-answer',
    typeof detail === 'string' ? detail : `The service answered ${status}.`,
    { status, retryAfter: Number.isFinite(seconds) ? seconds : undefined },
  );
}
