import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { EventIndexStore } from '../../../../core/events/event-index-store.ts';
import { indexPartitions } from '../../../../core/events/event-keys.ts';
import type { Event } from '../../../../core/events/event.ts';
import { EventStore } from '../../../../core/events/event-store.ts';
import type { Category } from '../../../../core/events/target-ref.ts';
import type { LedgerHour } from '../../../../core/export/ledger/hour-count.ts';
import { LedgerStore } from '../../../../core/export/ledger/ledger-store.ts';
import { cursorText, listIds, readCursor, type IdCursor } from '../../../../core/export/ledger/list-ids.ts';
import { readLedger } from '../../../../core/export/ledger/read-ledger.ts';
import { hours, minutes, seconds } from '../../../../core/kernel/time.ts';
import { testDatabase } from '../../../support/dynamodb.ts';
import { callOf } from '../../../support/event-arbitraries.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

let client: DynamoDBDocumentClient;
let tenantId: string;
/** Every request to DynamoDB since the test began. */
let requests: string[];

beforeAll(async () => {
  client = await testDatabase({ events: 'events', ledger: 'ledger' });
  client.middlewareStack.add((next, { commandName = '' }) => async (args) => {
    requests.push(commandName.replace('Command', ''));
    return await next(args);
  });
});

beforeEach(() => {
  tenantId = randomUUID();
  requests = [];
});

const deps = () => ({
  index: new EventIndexStore(client, 'events'),
  ledger: new LedgerStore(client, 'ledger'),
});

/** The beginning of an hour, a while ago. */
const hour = Date.UTC(2026, 2, 1, 9);
const hourName = '2026-03-01T09';
const wholeHour = { from: hour, to: hour + hours };
const later = hour + 3 * hours;

type Options = { now?: number; range?: typeof wholeHour; category?: Category; deadline?: number };

async function ledger({ now = later, range = wholeHour, category = 'public', deadline }: Options = {}) {
  return await readLedger(deps(), { tenantId, category }, range, now, deadline ?? Date.now() + minutes);
}

const accept = async (events: Event[], at = hour): Promise<void> => {
  expect(await new EventStore(client, 'events', () => at).append(tenantId, events)).toEqual([]);
};

const event = (aggregateId = randomUUID() as string, eventId = randomUUID() as string): Event => ({
  metadata: {
    eventId,
    metadataVersion: '1.0',
    occurredTime: '2026-01-01T00:00:00Z',
    producerId: 'identity',
    producerInstanceId: 'identity-1',
    tenantId,
    aggregateId,
    category: 'public',
    payloadVersion: '1.0',
    type: 'UserCreatedEvent',
  },
  payload: { userId: 'alice' },
});
const eventsOf = (count: number, aggregateId?: string): Event[] =>
  Array.from({ length: count }, () => event(aggregateId));

const idsOf = (events: readonly Event[]): string[] => events.map(({ metadata }) => metadata.eventId);

/** As the API's documentation defines it. */
function digestOf(ids: readonly string[]): string {
  let sum = 0n;
  for (const id of ids)
    sum = (sum + BigInt(`0x${createHash('sha256').update(id).digest('hex')}`)) % (1n << 256n);
  return sum.toString(16).padStart(64, '0');
}
const sumOf = (ids: readonly string[]) => ({ count: ids.length, digest: digestOf(ids) });

const listed = async (category: Category = 'public', most?: number): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: IdCursor | undefined;
  do {
    const page = await listIds(deps(), { tenantId, category, hour: hourName }, cursor, most);
    ids.push(...page.eventIds);
    cursor = page.cursor && readCursor(cursorText(page.cursor), hourName);
    expect(cursor).toEqual(page.cursor);
  } while (cursor);
  return ids;
};

const kept = async (): Promise<Record<string, unknown>[]> => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'ledger' }));
  return Items.filter(({ pk }) => String(pk).startsWith(tenantId));
};

describe('an hour of the ledger', () => {
  test('counts all accepted events: several of one call or aggregate, and ids in upper case', async () => {
    await fc.assert(
      fc.asyncProperty(callOf(tenantId), fc.boolean(), async (call, isLoud) => {
        tenantId = randomUUID();
        const own = isLoud
          ? call.map((one) => ({
              ...one,
              metadata: { ...one.metadata, eventId: one.metadata.eventId.toUpperCase() },
            }))
          : call;
        await accept(own as Event[]);
        for (const category of ['public', 'log'] as const) {
          const its = own.filter(({ metadata }) => metadata.category === category);
          const byType = Map.groupBy(its, ({ metadata }) => metadata.type);
          const types = Object.fromEntries(
            [...byType].map(([type, of]) => [type, sumOf(idsOf(of as Event[]))]),
          );
          expect(await ledger({ category })).toEqual([
            { hour: `${hourName}:00:00Z`, ...sumOf(idsOf(its as Event[])), types, final: true },
          ]);
          expect((await listed(category)).toSorted()).toEqual(idsOf(its as Event[]).toSorted());
        }
      }),
      { numRuns: propertyRuns(8) },
    );
  });

  test('counts an event once, however often it was sent', async () => {
    const own = eventsOf(5, 'alice');
    await accept(own);
    await accept(own, hour + 1);
    await accept([...own, event('alice')], hour + 2);
    expect(await ledger()).toMatchObject([{ count: 6 }]);
  });

  test('begins with its first millisecond and ends before the next hour', async () => {
    const [before, first, last, next] = eventsOf(4) as [Event, Event, Event, Event];
    await accept([before], hour - 1);
    await accept([first], hour);
    await accept([last], hour + hours - 1);
    await accept([next], hour + hours);
    expect(await ledger()).toMatchObject([sumOf(idsOf([first, last]))]);
    expect((await listed()).toSorted()).toEqual(idsOf([first, last]).toSorted());
  });

  test('counts nothing of another tenant or category', async () => {
    await accept(eventsOf(2));
    const own = tenantId;
    tenantId = randomUUID();
    expect(await ledger()).toMatchObject([{ count: 0, digest: '0'.repeat(64), types: {} }]);
    tenantId = own;
    expect(await ledger({ category: 'log' })).toMatchObject([{ count: 0 }]);
    expect(await listed('log')).toEqual([]);
  });

  test('has the digest of the whole sum when the sum exceeds 2^256', async () => {
    const own = eventsOf(30, 'alice');
    await accept(own);
    const [{ digest }] = (await ledger()) as [LedgerHour];
    expect(digest).toBe(digestOf(idsOf(own)));
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

test('an hour with more types than an item can keep is counted at each call', async () => {
  const all: Event[] = [];
  for (let call = 0; call < 15; call += 1) {
    const its = eventsOf(100, 'alice').map((one, index) => {
      const name = `Type${call}x${index}`.padEnd(195, 'x');
      return { ...one, metadata: { ...one.metadata, type: `${name}Event` } };
    });
    await accept(its as Event[]);
    all.push(...(its as Event[]));
  }
  const range = { from: hour - hours, to: hour + hours };
  const first = await ledger({ range });
  expect(first).toMatchObject([{ count: 0 }, sumOf(idsOf(all))]);
  expect(Object.keys(first[1]?.types ?? {})).toHaveLength(1_500);
  expect(await ledger({ range })).toEqual(first);
  expect(await kept()).toMatchObject([{ sk: '2026-03-01T08', final: true }]);
});

describe('a range', () => {
  const hoursIn = async (options: Options): Promise<string[]> =>
    (await ledger(options)).map(({ hour: name }) => name.slice(0, 13));

  test('includes each hour that it touches, also empty ones', async () => {
    const range = { from: hour + 30 * minutes, to: hour + 2 * hours + 1 };
    expect(await hoursIn({ range })).toEqual(['2026-03-01T09', '2026-03-01T10', '2026-03-01T11']);
    expect(await hoursIn({ range: wholeHour })).toEqual(['2026-03-01T09']);
  });

  test('ends with the current hour, and begins with the oldest hour that is stored completely', async () => {
    const now = later + 20 * minutes;
    const days = 24 * hours;
    const found = await hoursIn({ now, range: { from: 0, to: now + days } });
    expect(found).toHaveLength(14 * 24);
    expect([found[0], found.at(-1)]).toEqual(['2026-02-15T13', '2026-03-01T12']);
    const sharp = await hoursIn({ now: later, range: { from: 0, to: now + days } });
    expect([sharp[0], sharp.at(-1)]).toEqual(['2026-02-15T12', '2026-03-01T12']);
  });

  test('costs one query when its hours were counted before', async () => {
    await accept(eventsOf(3));
    const range = { from: hour - 20 * hours, to: hour + 2 * hours };
    const first = await ledger({ range });
    expect(requests.filter((name) => name === 'Query')).toHaveLength(indexPartitions + 1);
    expect(requests.filter((name) => name === 'BatchWriteItem')).toHaveLength(1);
    requests = [];
    expect(await ledger({ range })).toEqual(first);
    expect(requests).toEqual(['Query']);
  });
});

test('14 days with a few events a day cost a query for each shard, and one write for 25 hours', async () => {
  const all: Event[] = [];
  for (let day = 0; day < 13; day += 1) {
    const its = eventsOf(3);
    await accept(its, later - day * 24 * hours - day * minutes);
    all.push(...its);
  }
  requests = [];
  const now = later + 30 * minutes;
  const found = await ledger({ now, range: { from: 0, to: now } });
  expect(requests.filter((name) => name === 'Query')).toHaveLength(indexPartitions + 1);
  expect(requests.filter((name) => name === 'BatchWriteItem')).toHaveLength(14);
  expect(requests).toHaveLength(indexPartitions + 1 + 14);
  expect(found).toHaveLength(14 * 24);
  const busy = found.filter(({ count }) => count > 0);
  expect(busy.map(({ count }) => count)).toEqual(Array.from({ length: 13 }, () => 3));
  expect(busy.toReversed().map(({ digest }) => digest)).toEqual(
    Array.from({ length: 13 }, (_, day) => digestOf(idsOf(all.slice(day * 3, day * 3 + 3)))),
  );
});

describe('a final hour', () => {
  const isFinalAt = async (now: number): Promise<boolean | undefined> => (await ledger({ now }))[0]?.final;

  test('is final a minute after its end, and is stored from then on', async () => {
    await accept(eventsOf(2));
    expect(await isFinalAt(hour + hours + minutes - 1)).toBe(false);
    expect(await kept()).toEqual([]);
    expect(await isFinalAt(hour + hours + minutes)).toBe(true);
    expect(await kept()).toMatchObject([{ final: true, ttl: (hour + hours) / seconds + 14 * 24 * 3600 }]);
  });

  test('is counted once more a quarter of an hour after its end, with what the index did not show before', async () => {
    const sure = hour + hours + 15 * minutes;
    const [first, late, later] = eventsOf(3) as [Event, Event, Event];
    await accept([first]);
    expect(await ledger({ now: hour + hours + minutes })).toMatchObject([{ count: 1, final: true }]);
    // For the index, an event that it shows late is one that comes late.
    await accept([late]);
    expect(await ledger({ now: sure - 1 })).toMatchObject([{ count: 1, final: true }]);
    expect(await ledger({ now: sure })).toMatchObject([{ ...sumOf(idsOf([first, late])), final: true }]);
    await accept([later]);
    requests = [];
    expect(await ledger({ now: sure + hours })).toMatchObject([{ count: 2, final: true }]);
    expect(requests).toEqual(['Query']);
  });

  test('includes an event accepted late in the minute after its end', async () => {
    const now = hour + hours + minutes - 1;
    const [one, other] = eventsOf(2) as [Event, Event];
    await accept([one], hour + hours - 1);
    expect(await ledger({ now })).toMatchObject([{ count: 1 }]);
    await accept([other], hour + hours - 2);
    expect(await ledger({ now })).toMatchObject([{ count: 2 }]);
  });
});

describe('a count', () => {
  const many = async (count: number, from: number): Promise<Event[]> => {
    const all: Event[] = [];
    for (let index = 0; index < count; index += 100) {
      const call = eventsOf(100);
      await accept(call, from + index);
      all.push(...call);
    }
    return all;
  };

  test('is stored once, without events newer than a minute', async () => {
    const now = hour + 10 * minutes;
    const settled = await many(1_200, hour);
    const recent = await many(300, now - minutes);
    expect(await ledger({ now })).toMatchObject([{ ...sumOf(idsOf([...settled, ...recent])), final: false }]);
    expect(await kept()).toMatchObject([{ final: false, types: { UserCreatedEvent: { count: 1_200 } } }]);

    // One that comes late, for a time before those that are counted already.
    const late = eventsOf(1);
    await accept(late, now - minutes);
    const all = idsOf([...settled, ...recent, ...late]);
    expect(await ledger({ now: now + 1 })).toMatchObject([sumOf(all)]);
    expect(await ledger({ now: later })).toMatchObject([{ ...sumOf(all), final: true }]);
    expect(await ledger({ now: later })).toMatchObject([sumOf(all)]);
  });

  test('is stored when the time is over, and the next call continues', async () => {
    const all = await many(400, hour);
    const index = new EventIndexStore(client, 'events');
    let pages = 0;
    const ledgerStore = new LedgerStore(client, 'ledger');
    const target = { tenantId, category: 'public' as const };
    let isOver = false;
    const slow = {
      page: async (...args: Parameters<EventIndexStore['page']>) => {
        pages += 1;
        if (pages === 9) isOver = true;
        const [range, position, options] = args;
        return await index.page(range, position, { ...options, limit: 20 });
      },
    };
    const clock = Date.now;
    Date.now = () => (isOver ? clock() + hours : clock());
    try {
      const call = readLedger(
        { index: slow, ledger: ledgerStore },
        target,
        wholeHour,
        later,
        clock() + minutes,
      );
      await expect(call).rejects.toMatchObject({
        code: 'temporarily-unavailable',
        options: { retryAfter: 1 },
      });
    } finally {
      Date.now = clock;
    }
    const [item] = await kept();
    // It is neither a whole hour, nor a thousand events.
    expect(item).toMatchObject({ final: false });
    expect(await ledger()).toMatchObject([{ ...sumOf(idsOf(all)), final: true }]);
  });

  test('is stored although a read of the index fails, so that throttling only delays an answer', async () => {
    const all = await many(600, hour);
    const index = new EventIndexStore(client, 'events');
    const deps = { ledger: new LedgerStore(client, 'ledger') };
    let failures = 0;
    let found: LedgerHour[] | undefined;
    while (!found) {
      let pages = 0;
      const throttled = {
        page: async (...[own, position, options]: Parameters<EventIndexStore['page']>) => {
          pages += 1;
          if (pages > 20) throw new Error('throttled');
          return await index.page(own, position, { ...options, limit: 10 });
        },
      };
      const target = { tenantId, category: 'public' as const };
      try {
        found = await readLedger(
          { ...deps, index: throttled },
          target,
          wholeHour,
          later,
          Date.now() + minutes,
        );
      } catch (error) {
        expect(error).toMatchObject({ message: 'throttled' });
        failures += 1;
        expect(failures).toBeLessThan(10);
      }
    }
    expect(failures).toBeGreaterThan(1);
    expect(found).toMatchObject([{ ...sumOf(idsOf(all)), final: true }]);
  });

  test('is correct after calls that stopped anywhere in a range, without counting twice', async () => {
    const starts = [hour, hour + hours, hour + 5 * hours];
    const ids = new Map<number, string[]>();
    for (const start of starts)
      ids.set(start, idsOf([...(await many(200, start)), ...(await many(100, start + hours - 200))]));
    const range = { from: hour, to: hour + 6 * hours };
    const index = new EventIndexStore(client, 'events');
    const clock = Date.now;
    let calls = 0;
    let found: LedgerHour[] | undefined;
    while (!found) {
      let pages = 0;
      const slow = {
        page: async (...[own, position, options]: Parameters<EventIndexStore['page']>) => {
          pages += 1;
          return await index.page(own, position, { ...options, limit: 15 });
        },
      };
      calls += 1;
      Date.now = () => (pages >= 10 + calls ? clock() + hours : clock());
      try {
        const deps = { index: slow, ledger: new LedgerStore(client, 'ledger') };
        const target = { tenantId, category: 'public' as const };
        found = await readLedger(deps, target, range, later + 10 * hours, clock() + minutes);
      } catch (error) {
        expect(error).toMatchObject({ code: 'temporarily-unavailable' });
      } finally {
        Date.now = clock;
      }
    }
    expect(calls).toBeGreaterThan(2);
    const expected = Array.from({ length: 6 }, (_, n) => sumOf(ids.get(hour + n * hours) ?? []));
    expect(found).toMatchObject(expected.map((sum) => ({ ...sum, final: true })));
    expect(await ledger({ range, now: later + 10 * hours })).toEqual(found);
  });

  test('is correct with two calls at the same time', async () => {
    const all = await many(1_100, hour);
    const answers = await Promise.all([1, 2, 3].map(async (n) => await ledger({ now: later + n })));
    for (const answer of [...answers, await ledger()]) expect(answer).toMatchObject([sumOf(idsOf(all))]);
  });
});

describe('the ids of an hour', () => {
  test('are returned in pages, each id once', async () => {
    const all = [...eventsOf(40), ...eventsOf(30, 'alice')];
    await accept(all);
    for (const most of [1, 7, 50, 1_000])
      expect((await listed('public', most)).toSorted()).toEqual(idsOf(all).toSorted());
  });

  test('cost one query of each shard when they fit into one page', async () => {
    const all = eventsOf(40);
    await accept(all);
    requests = [];
    expect((await listed()).toSorted()).toEqual(idsOf(all).toSorted());
    expect(requests).toEqual(Array.from({ length: indexPartitions }, () => 'Query'));
  });

  test('are returned in pages of similar size, although one item may have the ids of a whole call', async () => {
    const calls = Array.from({ length: 40 }, (_, user) => eventsOf(10, `user-${user}`));
    for (const call of calls) await accept(call);
    const target = { tenantId, category: 'public' as const, hour: hourName };
    // Each shard is asked for three items at most.
    const { eventIds, cursor } = await listIds(deps(), target, undefined, 20);
    expect(eventIds.length).toBeLessThan(20 + 3 * 10);
    expect(cursor?.length).toBeGreaterThan(5);
    expect((await listed('public', 20)).toSorted()).toEqual(idsOf(calls.flat()).toSorted());
  });
});
