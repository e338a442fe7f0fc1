import { ApiProblem, problemOf, unreachable } from '#ui/api-problem.ts';
import type {
  Category,
  Delivery,
  DeliveryPage,
  Export,
  LedgerHour,
  Replay,
  ReplayRequest,
  SampleEvent,
  Tenant,
  TestRequest,
} from './shapes.ts';

/** The service writes for operators, too. On this page its reader is the tenant. */
export const toReader = (text: string): string =>
  text
    .replaceAll(/\b([Tt])he tenant's\b/g, (_, first: string) => (first === 'T' ? 'Your' : 'your'))
    .replaceAll(/\b([Tt])he tenant has\b/g, (_, first: string) => (first === 'T' ? 'You have' : 'you have'))
    .replaceAll(/\b([Tt])he tenant\b/g, (_, first: string) => (first === 'T' ? 'You' : 'you'));

const patienceMs = 35_000;

/** The tenant API, at the page's own origin. */
export class ExportsApi {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async list(): Promise<{ tenant: Tenant; exports: Export[] }> {
    const { tenant, exports } = (await this.#call('GET', '')) as { tenant: Tenant; exports?: unknown };
    return { tenant, exports: listIn<Export>(exports).map(forReader) };
  }

  /** An event of each type that the export has. */
  async samples(category: Category): Promise<SampleEvent[]> {
    const { exports } = (await this.#call('GET', '?samples=true')) as { exports?: unknown };
    const found = listIn<{ category: Category; samples?: unknown }>(exports);
    return listIn<SampleEvent>(found.find((one) => one.category === category)?.samples);
  }

  async test(category: Category, request: TestRequest): Promise<void> {
    await this.#call('POST', `/${category}/test`, request);
  }

  async steer(category: Category, what: 'pause' | 'resume'): Promise<void> {
    await this.#call('POST', `/${category}/${what}`);
  }

  async startReplay(category: Category, request: ReplayRequest): Promise<Replay> {
    const path = 'eventId' in request ? `events/${request.eventId}/send` : 'replays';
    const body = 'eventId' in request ? undefined : request;
    const replay = (await this.#call('POST', `/${category}/${path}`, body)) as Partial<Replay>;
    if (typeof replay.replayId !== 'string') throw unexpected();
    return replay as Replay;
  }

  /** Leaves missing what was given up. */
  async dismiss(category: Category, reason: string): Promise<void> {
    await this.#call('POST', `/${category}/dismiss`, { reason });
  }

  async replay(category: Category, replayId: string): Promise<Replay> {
    return (await this.#call('GET', `/${category}/replays/${encodeURIComponent(replayId)}`)) as Replay;
  }

  async ledger(category: Category, range: { from: string; to: string }): Promise<LedgerHour[]> {
    const query = new URLSearchParams(range).toString();
    const { hours } = (await this.#call('GET', `/${category}/ledger?${query}`)) as { hours?: unknown };
    return listIn<LedgerHour>(hours);
  }

  /** @param cursor of the page before */
  async deliveries(category: Category, cursor?: string): Promise<DeliveryPage> {
    const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor }).toString()}`;
    const { deliveries, cursor: next } = (await this.#call('GET', `/${category}/deliveries${query}`)) as {
      deliveries?: unknown;
      cursor?: unknown;
    };
    return {
      deliveries: listIn<Delivery>(deliveries),
      ...(typeof next === 'string' && { cursor: next }),
    };
  }

  /** The state of the log, as a signed text. */
  async checkpoint(category: Category): Promise<string> {
    return await (await this.#send('GET', `/${category}/log/checkpoint`)).text();
  }

  /** Proves that the log of one size begins with that of an earlier one. */
  async consistency(category: Category, { from, to }: { from: number; to: number }): Promise<string[]> {
    const path = `/${category}/log/proofs/consistency?from=${from}&to=${to}`;
    return listIn<string>(((await this.#call('GET', path)) as { path?: unknown }).path);
  }

  async #call(method: 'GET' | 'POST', path: string, body?: object): Promise<object> {
    return await membersOf(await this.#send(method, path, body));
  }

  async #send(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
    return await send(`/omi/exports${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      cache: 'no-store',
    });
  }
}

/** @throws {ApiProblem} */
async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, {
    ...init,
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  }).catch((): never => {
    throw unreachable();
  });
  if (response.ok) return response;
  throw problemOf(response, await response.json().catch(() => undefined));
}

async function membersOf(response: Response): Promise<object> {
  const answer: unknown = await response.json().catch(() => undefined);
  return typeof answer === 'object' && answer !== null ? answer : {};
}

/** All that the service says in sentences. */
const forReader = (one: Export): Export => ({
  ...one,
  reason: toReader(one.reason),
  ...(one.action && { action: { ...one.action, what: toReader(one.action.what) } }),
  ...(one.warning !== undefined && { warning: toReader(one.warning) }),
  ...(one.givenUp && {
    givenUp: {
      ...one.givenUp,
      losses: one.givenUp.losses.map((loss) => ({ ...loss, reason: toReader(loss.reason) })),
    },
  }),
  lastTest: one.lastTest && {
    ...one.lastTest,
    ...(one.lastTest.reason !== undefined && { reason: toReader(one.lastTest.reason) }),
  },
});

const unexpected = (): ApiProblem =>
  new ApiProblem('The service gave an answer that this page does not understand.', { status: 200 });

function listIn<Item>(value: unknown): Item[] {
  if (Array.isArray(value)) return value as Item[];
  throw unexpected();
}
