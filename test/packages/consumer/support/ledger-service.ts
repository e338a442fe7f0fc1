import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Accepted = { eventId: string; type: string; acceptedAt: number };
type Sum = { count: number; digest: string };
type Answer = { status: number; body: unknown; headers?: Record<string, string> };

const hourMs = 3_600_000;

/** As the definition says it: the sum modulo 2^256 of the SHA-256 of each id's text, in hex. */
function sumOf(events: readonly Accepted[]): Sum {
  let sum = 0n;
  for (const { eventId } of events)
    sum = (sum + BigInt(`0x${createHash('sha256').update(eventId).digest('hex')}`)) % (1n << 256n);
  return { count: events.length, digest: sum.toString(16).padStart(64, '0') };
}

/** A service that speaks the tenants' API, as far as it is about the ledger, for the public events of one tenant. */
export class LedgerService {
  readonly requests: string[] = [];
  readonly replays: unknown[] = [];
  /** Of the target; others are changed by the tests. */
  target: Record<string, unknown> = {
    category: 'public',
    state: 'active',
    oldestWaitingAt: null,
    types: null,
    lastTest: null,
  };
  /** Another answer than the right one, for a call such as `GET /omi/exports`. */
  fault: (call: string) => Answer | undefined = () => undefined;
  pageSize = 1000;
  readonly #hours = new Map<string, Accepted[]>();
  readonly #isFinal: (hour: string) => boolean;
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, body, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  #sums: unknown[] | undefined;

  constructor(accepted: readonly Accepted[], isFinal: (hour: string) => boolean = () => true) {
    this.#isFinal = isFinal;
    for (const one of accepted) {
      const hour = `${new Date(Math.floor(one.acceptedAt / hourMs) * hourMs).toISOString().slice(0, 19)}Z`;
      const events = this.#hours.get(hour);
      if (events) events.push(one);
      else this.#hours.set(hour, [one]);
    }
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Every event of an hour, also those that a filter leaves out. */
  hours(): unknown[] {
    return (this.#sums ??= [...this.#hours].sort().map(([hour, events]) => {
      const types = Map.groupBy(events, ({ type }) => type);
      const sums = Object.fromEntries([...types].map(([type, own]) => [type, sumOf(own)]));
      return { hour, ...sumOf(events), types: sums, final: this.#isFinal(hour) };
    }));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    this.requests.push(`${method} ${pathname}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (pathname === '/token') return tokenFor(headers.authorization, text);
    if (headers.authorization !== 'Bearer a-token') return { status: 401, body: { message: 'Unauthorized' } };
    const fault = this.fault(`${method} ${pathname}`);
    if (fault) return fault;
    if (pathname === '/omi/exports') return { status: 200, body: { exports: [this.target] } };
    if (method === 'POST' && pathname === '/omi/exports/public/replays') {
      this.replays.push(JSON.parse(text));
      return { status: 202, body: { replayId: `replay-${this.replays.length}` } };
    }
    const [, hour] = /^\/omi\/exports\/public\/ledger(?:\/(.+))?$/.exec(pathname) ?? [];
    if (hour !== undefined) return this.#page(decodeURIComponent(hour), searchParams.get('cursor'));
    return pathname.endsWith('/ledger') ? this.#ledger(searchParams) : { status: 404, body: {} };
  }

  #ledger(query: URLSearchParams): Answer {
    const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
    const isInside = (entry: unknown): boolean => {
      const start = Date.parse((entry as { hour: string }).hour);
      return start + hourMs > from && start < to;
    };
    return { status: 200, body: { hours: this.hours().filter(isInside) } };
  }

  #page(hour: string, cursor: string | null): Answer {
    const start = Number(cursor ?? 0);
    const events = this.#hours.get(hour) ?? [];
    const end = start + this.pageSize;
    const eventIds = events.slice(start, end).map(({ eventId }) => eventId);
    return { status: 200, body: { eventIds, ...(end < events.length && { cursor: String(end) }) } };
  }
}

/** Like Amazon Cognito: scopes have a prefix. */
function tokenFor(authorization = '', body: string): Answer {
  const [client, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  if (client !== 'client' || secret !== 'secret') return { status: 401, body: { error: 'invalid_client' } };
  const scopes = (new URLSearchParams(body).get('scope') ?? '').split(' ');
  if (!scopes.every((scope) => ['omi/omi:exports:get', 'omi/omi:exports:post'].includes(scope)))
    return { status: 400, body: { error: 'invalid_scope' } };
  return { status: 200, body: { access_token: 'a-token', expires_in: 3600 } };
}
