/** The ledger finds what a copy lacks, and asks for it. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { Exports, isTest, reconcile, type Event, type ReconcileOptions } from '#consumer';
import { event } from './support/events.ts';
import { LedgerService, type Accepted } from './support/ledger-service.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 21, 20);
const range = { from: new Date(start), to: new Date(start + 4 * hourMs) };
const now = (): number => start + 5 * hourMs;

const services: LedgerService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});

const newId = (): string => randomUUID();

const hourOf = (hours: number): string => `${new Date(start + hours * hourMs).toISOString().slice(0, 19)}Z`;

type Story = { accepted: Accepted; event: Event };

/** An event that was accepted so many hours after the start. Its id may tell the time. */
function at(hours: number, { type = 'UserCreatedEvent', eventId = newId() } = {}): Story {
  const acceptedAt = start + hours * hourMs;
  const occurredTime = new Date(acceptedAt - 200).toISOString();
  return {
    accepted: { eventId, type, acceptedAt },
    event: event('a', { metadata: { eventId, type, occurredTime } }),
  };
}

/** Three hours of events, half of them with ids that tell their time. */
const story = (): Story[] => [
  ...Array.from({ length: 40 }, (_, index) => at(0.01 + index / 13.4)),
  ...Array.from({ length: 40 }, (_, index) => {
    const hours = 0.01 + index / 13.4;
    return at(hours, { eventId: uuidv7({ msecs: start + hours * hourMs }), type: 'UserBlockedEvent' });
  }),
];

async function serve(stories: readonly Story[], isFinal?: (hour: string) => boolean) {
  const accepted = stories.map((one) => one.accepted);
  const service = new LedgerService(accepted, isFinal);
  const baseUrl = await service.start();
  services.push(service);
  const exports = new Exports({ baseUrl, token: async () => await Promise.resolve('a-token') });
  const ask = async (copy: readonly Event[], more: Partial<ReconcileOptions> = {}) =>
    await reconcile({ exports, category: 'public', ...range, copy, now, ...more });
  return { service, baseUrl, exports, ask };
}

const eventsOf = (stories: readonly Story[]): Event[] => stories.map((one) => one.event);
const listings = ({ requests }: LedgerService): string[] => requests.filter((path) => /ledger\/./.test(path));

describe('a complete copy', () => {
  test('is recognized beside test events, which no ledger has', async () => {
    const stories = story();
    const { service, ask } = await serve(stories);
    const { event: sent } = at(0.5);
    const tested = { ...sent, metadata: { ...sent.metadata, producerId: 'omi-test' } };
    expect([isTest(tested), isTest(sent)]).toEqual([true, false]);
    expect(await ask([...eventsOf(stories), tested])).toMatchObject({ complete: true });
    expect(listings(service)).toEqual([]);
  });

  test('is recognized by digests alone', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    const result = await ask(eventsOf(stories).reverse());
    expect(result).toMatchObject({ complete: true, missingCount: 0, missing: [], replays: [] });
    expect(result.hours.map(({ status }) => status)).toEqual(['complete', 'complete', 'complete']);
    expect(result.hours.reduce((sum, { count }) => sum + count, 0)).toBe(stories.length);
    expect(listings(service)).toEqual([]);
  });

  test('may have duplicates, and events of other categories, tenants and times', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    const own = eventsOf(stories);
    const others = [
      event('a', { metadata: { category: 'log', occurredTime: new Date(start).toISOString() } }),
      event('a', { metadata: { tenantId: 'another', occurredTime: new Date(start).toISOString() } }),
      event('a', { metadata: { occurredTime: '2026-01-01T00:00Z' } }),
    ];
    const { tenantId } = own[0]?.metadata ?? { tenantId: '' };
    const result = await ask([...own, ...own, ...others], { tenantId: tenantId.toUpperCase() });
    expect(result).toMatchObject({ complete: true });
    expect(listings(service)).toEqual([]);
  });

  test.each([
    ['another category', { category: 'log' }],
    ['another tenant', { tenantId: 'another' }],
  ])('has no event whose id only %s has', async (_, metadata) => {
    const [lost, ...rest] = story();
    if (!lost) throw new Error('There should be an event');
    const { ask } = await serve([lost, ...rest]);
    const other = { ...lost.event, metadata: { ...lost.event.metadata, ...metadata } };
    const { tenantId } = lost.event.metadata;
    expect(await ask([other, ...eventsOf(rest)], { tenantId })).toMatchObject({
      missing: [lost.accepted.eventId],
    });
  });

  test('is recognized id by id if clocks were wrong', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    service.pageSize = 7;
    const late = eventsOf(stories).map((one) => ({
      ...one,
      metadata: { ...one.metadata, occurredTime: '2020-01-01T00:00:00Z' },
    }));
    expect(await ask(late)).toMatchObject({ complete: true, missing: [] });
    expect(new Set(listings(service)).size).toBe(3);
  });

  test('may have an id in upper case', async () => {
    const stories = story();
    const { ask } = await serve(stories);
    const loud = eventsOf(stories).map((one) => ({
      ...one,
      metadata: { ...one.metadata, eventId: one.metadata.eventId.toUpperCase() },
    }));
    expect(await ask(loud)).toMatchObject({ complete: true });
  });

  test('may have an id that was accepted in upper case', async () => {
    const loud = at(1, { eventId: newId().toUpperCase() });
    const { ask, service } = await serve([loud]);
    const { metadata } = loud.event;
    // Another time, so that the digest alone does not tell.
    const quiet = { eventId: metadata.eventId.toLowerCase(), occurredTime: '2020-01-01T00:00:00Z' };
    const copy = [{ ...loud.event, metadata: { ...metadata, ...quiet } }];
    expect(await ask(copy)).toMatchObject({ complete: true });
    expect(listings(service)).toHaveLength(1);
  });
});

describe('a missing event', () => {
  test('is named, and only its hour is requested again', async () => {
    const stories = story();
    const lost = stories[17];
    if (!lost) throw new Error('There should be an event');
    const { ask, service } = await serve(stories);
    const result = await ask(eventsOf(stories.filter((one) => one !== lost)), { repair: true });
    expect(result).toMatchObject({ complete: false, missingCount: 1, missing: [lost.accepted.eventId] });
    expect(result.hours.map(({ status }) => status)).toEqual(['complete', 'incomplete', 'complete']);
    expect(service.replays).toEqual([
      {
        from: '2026-11-21T21:00:00.000Z',
        to: '2026-11-21T22:00:00.000Z',
        types: ['UserCreatedEvent'],
      },
    ]);
    expect(result.replays).toMatchObject([{ replay: { replayId: 'replay-1' } }]);
  });

  test('is requested together with those of consecutive hours', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    const result = await ask([], { repair: true });
    expect(result.missing.toSorted()).toEqual(stories.map(({ accepted }) => accepted.eventId).sort());
    expect(service.replays).toEqual([
      {
        from: '2026-11-21T20:00:00.000Z',
        to: '2026-11-21T23:00:00.000Z',
        types: ['UserBlockedEvent', 'UserCreatedEvent'],
      },
    ]);
  });

  test('is requested with all types that are missing in the hours', async () => {
    const types = ['UserCreatedEvent', 'UserBlockedEvent'];
    const { ask, service } = await serve(types.map((type, index) => at(0.5 + index, { type })));
    await ask([], { repair: true });
    expect(service.replays).toMatchObject([{ types: types.toSorted() }]);
  });

  test('is not requested after a fault of the program', async () => {
    const { exports, ask } = await serve(story());
    const broken = Object.assign(Object.create(exports) as Exports, {
      list: async () => await exports.list(),
      ledger: async (...parts: Parameters<Exports['ledger']>) => await exports.ledger(...parts),
      eventIds: (...parts: Parameters<Exports['eventIds']>) => exports.eventIds(...parts),
      replay: async () => await Promise.reject(new TypeError('broken')),
    });
    await expect(ask([], { repair: true, exports: broken })).rejects.toThrow('broken');
  });

  test('is reported although the service cannot replay now', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    service.fault = (call) =>
      call.startsWith('POST')
        ? {
            status: 429,
            body: { code: 'too-many-replays', detail: 'Later.' },
            headers: { 'retry-after': '1800' },
          }
        : undefined;
    const result = await ask(eventsOf(stories).slice(1), { repair: true });
    expect(result.missing).toEqual([stories[0]?.accepted.eventId]);
    expect(result.replays).toMatchObject([
      {
        from: '2026-11-21T20:00:00.000Z',
        error: { code: 'too-many-replays', status: 429, retryAfter: 1800 },
      },
    ]);
  });

  test('is not requested unless the caller wants it', async () => {
    const { ask, service } = await serve(story());
    expect(await ask([])).toMatchObject({ complete: false, replays: [] });
    expect(service.replays).toEqual([]);
  });
});

describe('a target with a filter', () => {
  const types = ['UserCreatedEvent'];

  test('is complete if it has all events of its types', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    service.target = { ...service.target, types };
    const own = stories.filter(({ accepted }) => types.includes(accepted.type));
    const result = await ask(eventsOf(own));
    expect(result).toMatchObject({ complete: true });
    expect(result.hours.reduce((sum, { count }) => sum + count, 0)).toBe(own.length);
    expect(listings(service)).toEqual([]);
  });

  test('has its one missing event named by the digest', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    service.target = { ...service.target, types };
    const own = stories.filter(({ accepted }) => types.includes(accepted.type));
    const result = await ask(eventsOf(own.slice(1)));
    expect(result).toMatchObject({ missingCount: 1, missing: [own[0]?.accepted.eventId] });
  });

  test('has the number of several missing events reported, but not their ids, because the digest cannot name them', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    service.target = { ...service.target, types };
    const own = stories.filter(({ accepted }) => types.includes(accepted.type));
    const result = await ask(eventsOf(own.slice(2)), { repair: true });
    expect(result).toMatchObject({ complete: false, missingCount: 2, missing: [] });
    expect(service.replays).toMatchObject([{ from: '2026-11-21T20:00:00.000Z', types }]);
  });
});

describe('an hour', () => {
  const unjudged = (result: { hours: { hour: string; status: string }[] }): string[] =>
    result.hours.filter(({ status }) => status === 'unjudged').map(({ hour }) => hour);

  test('is unjudged until the ledger is final', async () => {
    const { ask } = await serve(story(), (hour) => hour !== hourOf(2));
    const result = await ask([]);
    expect(unjudged(result)).toEqual([hourOf(2)]);
    expect(result.missingCount).toBe(54);
  });

  test('is unjudged until its events have had time to arrive', async () => {
    const stories = story();
    const { ask } = await serve(stories);
    const soon = start + 3 * hourMs + 14 * 60_000;
    const early = await ask(eventsOf(stories), { now: () => soon });
    expect(unjudged(early)).toEqual([hourOf(2)]);
    // Nothing is missing, but nobody knows of that hour.
    expect(early).toMatchObject({ complete: false, missingCount: 0, unjudged: [hourOf(2)] });
    expect(unjudged(await ask([], { now: () => soon + 60_000 }))).toEqual([]);
  });

  test('is unjudged while its events wait for the target', async () => {
    const { ask, service } = await serve(story());
    service.target = { ...service.target, oldestWaitingAt: new Date(start + 1.5 * hourMs).toISOString() };
    expect(unjudged(await ask([]))).toEqual([hourOf(1), hourOf(2)]);
  });
});

describe('the service', () => {
  test('causes an error if it lists other ids than it counted', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    service.fault = (call) =>
      /ledger\/./.test(call) ? { status: 200, body: { eventIds: [randomUUID()] } } : undefined;
    await expect(ask(eventsOf(stories).slice(1))).rejects.toMatchObject({ code: 'unexpected-answer' });
  });

  test('causes an error if it has no export of the category', async () => {
    const { ask } = await serve([]);
    await expect(ask([], { category: 'log' })).rejects.toMatchObject({ code: 'invalid-options' });
  });

  test('is asked again when it cannot answer now', async () => {
    const stories = story();
    const { ask, service } = await serve(stories);
    const headers = [{ 'retry-after': '1' }, {}];
    service.fault = () => {
      const next = headers.shift();
      return next && { status: 503, body: { code: 'temporarily-unavailable' }, headers: next };
    };
    const began = performance.now();
    expect(await ask(eventsOf(stories))).toMatchObject({ complete: true });
    expect(service.requests.filter((path) => path === 'GET /omi/exports')).toHaveLength(3);
    // As the first answer demands, and then the second pause. A timer of Node.js may be a millisecond early.
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_998);
  });

  test('is asked again after a broken connection, and after too many requests', async () => {
    const { baseUrl, service } = await serve([]);
    let calls = 0;
    const fetch: typeof globalThis.fetch = async (...call) => {
      calls += 1;
      return calls === 1
        ? await Promise.reject(new TypeError('fetch failed'))
        : await globalThis.fetch(...call);
    };
    service.fault = () => (calls === 2 ? { status: 429, body: { message: 'Too Many Requests' } } : undefined);
    const token = async () => await Promise.resolve('a-token');
    expect(await new Exports({ baseUrl, token, fetch }).list()).toEqual([service.target]);
    expect(calls).toBe(3);
  });

  test('is not asked again for a call that would take effect twice', async () => {
    const { exports, service } = await serve([]);
    service.fault = () => ({ status: 503, body: { code: 'temporarily-unavailable' } });
    await expect(exports.replay('public', range)).rejects.toMatchObject({ status: 503 });
    await expect(exports.resume('public')).rejects.toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(2);
  });

  test('is asked four times at most', async () => {
    const { service, exports } = await serve([]);
    service.fault = () => ({ status: 503, body: { code: 'temporarily-unavailable' } });
    await expect(exports.list()).rejects.toMatchObject({ code: 'temporarily-unavailable', status: 503 });
    expect(service.requests).toHaveLength(4);
  });

  test('tests an export, and the answer is of this test, not of an earlier one', async () => {
    const { service, exports } = await serve([]);
    const [earlier, requestedAt] = ['2026-11-21T20:00:00.000Z', '2026-11-21T21:00:00.000Z'];
    const asked = { ...service.target, lastTest: { outcome: 'waiting', requestedAt } };
    const looks = [
      { outcome: 'passed', requestedAt: earlier, endedAt: earlier },
      { outcome: 'running', requestedAt },
      { outcome: 'failed', requestedAt, endedAt: requestedAt },
    ];
    service.fault = (call) => {
      if (call === 'POST /omi/exports/public/test') return { status: 202, body: asked };
      service.target = { ...service.target, lastTest: looks.shift() };
      return undefined;
    };
    expect(await exports.test('public', { timeoutMs: 0 })).toEqual(asked);
    expect(await exports.test('public')).toMatchObject({ lastTest: { outcome: 'failed' } });
    expect(looks).toEqual([]);
  });

  test('causes an error if it answers with text', async () => {
    const { service, exports } = await serve([]);
    service.fault = () => ({ status: 200, body: 'paused' });
    await expect(exports.pause('public')).rejects.toMatchObject({ code: 'unexpected-answer' });
  });

  test.each([
    [
      'a refusal',
      { status: 403, body: { message: 'Forbidden' } },
      { code: 'unexpected-answer', status: 403 },
    ],
    ['nothing', { status: 200, body: null }, { code: 'unexpected-answer' }],
    ['another form', { status: 200, body: { exports: {} } }, { code: 'unexpected-answer' }],
    [
      'a long pause',
      { status: 429, body: { code: 'slow' }, headers: { 'retry-after': '60' } },
      { code: 'slow' },
    ],
  ])('is not asked again after %s', async (_, answer, expected) => {
    const { ask, service } = await serve([]);
    service.fault = () => answer;
    await expect(ask([])).rejects.toMatchObject(expected);
    expect(service.requests).toEqual(['GET /omi/exports']);
  });
});

test('needs a base URL', () => {
  const token = async () => await Promise.resolve('a-token');
  expect(() => new Exports({ baseUrl: 'omi', token })).toThrow(
    expect.objectContaining({ code: 'invalid-options' }),
  );
});

describe('access tokens', () => {
  const client = (baseUrl: string, clientSecret = 'secret'): Exports =>
    new Exports({ baseUrl: `${baseUrl}/`, tokenUrl: `${baseUrl}/token`, clientId: 'client', clientSecret });

  test('are requested once, with the scopes as the issuer knows them', async () => {
    const { baseUrl, service } = await serve([]);
    const exports = client(baseUrl);
    expect(await exports.list()).toHaveLength(1);
    expect(await exports.list()).toHaveLength(1);
    expect(service.requests).toEqual(['POST /token', 'POST /token', 'GET /omi/exports', 'GET /omi/exports']);
  });

  test('are requested once by concurrent calls', async () => {
    const { baseUrl, service } = await serve([]);
    const exports = client(baseUrl);
    await Promise.all(Array.from({ length: 5 }, async () => await exports.list()));
    // Twice, because the first form of the scopes is not the issuer's.
    expect(service.requests.filter((request) => request === 'POST /token')).toHaveLength(2);
  });

  test('are not sent to others, and the error does not contain the secret', async () => {
    const { baseUrl } = await serve([]);
    const refused = client(baseUrl, 'a-wrong-secret').list();
    await expect(refused).rejects.toMatchObject({ code: 'token-refused', status: 401 });
    await expect(refused).rejects.not.toThrow('a-wrong-secret');
  });
});
