import { ApiProblem, problemOf, unreachable } from './api-problem.ts';
import type { Category, Export, LedgerHour, Replay, ReplayRequest } from './shapes.ts';

const patienceMs = 35_000;

/** The tenant API, at the page's own origin. */
export class ExportsApi {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async list(): Promise<Export[]> {
    const { exports } = (await this.#call('GET', '')) as { exports?: unknown };
    return listIn<Export>(exports);
  }

  /** @param proof for a bucket: the text that its owner read in the service's object there */
  async test(category: Category, proof?: string): Promise<void> {
    await this.#call('POST', `/${category}/test`, proof === undefined ? {} : { proof });
  }

  async steer(category: Category, what: 'pause' | 'resume'): Promise<void> {
    await this.#call('POST', `/${category}/${what}`);
  }

  async startReplay(category: Category, request: ReplayRequest): Promise<string> {
    const { replayId } = (await this.#call('POST', `/${category}/replays`, request)) as {
      replayId?: unknown;
    };
    if (typeof replayId !== 'string') throw unexpected();
    return replayId;
  }

  async replay(category: Category, replayId: string): Promise<Replay> {
    return (await this.#call('GET', `/${category}/replays/${encodeURIComponent(replayId)}`)) as Replay;
  }

  async ledger(category: Category, range: { from: string; to: string }): Promise<LedgerHour[]> {
    const query = new URLSearchParams(range).toString();
    const { hours } = (await this.#call('GET', `/${category}/ledger?${query}`)) as { hours?: unknown };
    return listIn<LedgerHour>(hours);
  }

  async #call(method: 'GET' | 'POST', path: string, body?: object): Promise<object> {
    const response = await fetch(`/omi/exports${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    }).catch((): never => {
      throw unreachable();
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw problemOf(response, answer);
    return typeof answer === 'object' && answer !== null ? answer : {};
  }
}

const unexpected = (): ApiProblem =>
  new ApiProblem('The service gave an answer that this page does not understand.', { status: 200 });

function listIn<Item>(value: unknown): Item[] {
  if (Array.isArray(value)) return value as Item[];
  throw unexpected();
}
