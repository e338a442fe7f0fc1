import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { ArchiveReader, type ArchivePlace } from '../../../core/events/archive-reader.ts';
import { EventArchiveStore } from '../../../core/events/event-archive-store.ts';
import { indexPartitions } from '../../../core/events/event-keys.ts';
import { EventStore } from '../../../core/events/event-store.ts';
import { ConflictError } from '../../../core/kernel/conflict-error.ts';
import { parseJson } from '../../../core/kernel/json.ts';
import type { Event, LogEvent, PublicEvent } from '../../../core/events/event.ts';
import { retryOnConflict } from '../../../core/kernel/retry-on-conflict.ts';
import { testDatabase } from '../../support/dynamodb.ts';
import { callOf } from '../../support/event-arbitraries.ts';
import { allItems, carriersIn, entriesIn, indexedIn, storedIn } from '../../support/stored-events.ts';
import { propertyRuns } from '../../support/property-runs.ts';

let client: DynamoDBDocumentClient;
let store: EventStore;
let tenantId: string;
/** Every request to DynamoDB since the test began. */
let requests: string[];
/** Whether each BatchGetItem since then was consistent. */
let consistent: boolean[];
/** Runs once, after the next request of this name, with its answer. */
let after: { command: string; run: (answer: Answer) => Promise<void> | void } | undefined;
type Answer = { Responses?: Record<string, Record<string, object>[]> };

beforeAll(async () => {
  client = await testDatabase({ events: 'events' });
  client.middlewareStack.add((next, { commandName = '' }) => async (args) => {
    requests.push(commandName.replace('Command', ''));
    if (commandName.startsWith('BatchGetItem')) consistent.push(isConsistent(args.input));
    const answer = await next(args);
    const interruption = after;
    if (interruption && commandName.startsWith(interruption.command)) {
      after = undefined;
      await interruption.run(answer.output as Answer);
    }
    return answer;
  });
});

beforeEach(() => {
  tenantId = randomUUID();
  requests = [];
  consistent = [];
  after = undefined;
  store = new EventStore(client, 'events');
});

const isConsistent = (input: object): boolean => JSON.stringify(input).includes('"ConsistentRead":true');

const metadata = () => ({
  eventId: randomUUID() as string,
  metadataVersion: '1.0' as const,
  occurredTime: '2026-03-01T09:30:00Z',
  producerId: 'identity',
  producerInstanceId: 'identity-1',
  tenantId,
});

const publicEvent = (aggregateId = 'alice', userId = 'alice'): PublicEvent => ({
  metadata: {
    ...metadata(),
    aggregateId,
    category: 'public',
    payloadVersion: '1.0',
    type: 'UserCreatedEvent',
  },
  payload: { userId },
});
const logEvent = (agent?: string, payload?: unknown): LogEvent => ({
  metadata: {
    ...metadata(),
    ...(agent && { agent }),
    category: 'log',
    description: 'x',
    type: 'SomethingEvent',
  },
  ...(payload !== undefined && { payload }),
});
const events = (count: number, aggregateId?: string): PublicEvent[] =>
  Array.from({ length: count }, (_, index) => publicEvent(aggregateId, `user ${index}`));

const partitionOf = ({ metadata }: Event): string =>
  metadata.category === 'public'
    ? `${tenantId}#${metadata.aggregateId}`
    : `log#${tenantId}#${metadata.agent ?? metadata.eventId}`;
const jsonOf = (list: Event[]): string[] => list.map((event) => JSON.stringify(event));
const stored = async (aggregateId = 'alice') => await storedIn(client, `${tenantId}#${aggregateId}`);

describe('accepted events', () => {
  test('are stored byte for byte, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(callOf(tenantId), async (call) => {
        tenantId = randomUUID();
        expect(await store.append(tenantId, call)).toEqual([]);
        for (const [partition, its] of Map.groupBy(call, partitionOf)) {
          expect(await storedIn(client, partition)).toEqual(jsonOf(its));
        }
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  test('are found by tenant, category and hour, in order per aggregate', async () => {
    const now = Date.UTC(2026, 2, 1, 9, 59, 59, 999);
    const atNine = new EventStore(client, 'events', () => now);
    const aggregates = Array.from({ length: 10 }, (_, index) => events(3, `aggregate ${index}`));
    const call = [0, 1, 2].flatMap((index) => aggregates.flatMap((its) => its.slice(index, index + 1)));
    const log = logEvent();
    await atNine.append(tenantId, [...call, log]);

    const found = await indexedIn(client, { tenantId, category: 'public', hour: '2026-03-01T09' });
    for (const its of aggregates) {
      expect(found.filter((json) => jsonOf(its).includes(json))).toEqual(jsonOf(its));
    }
    expect(found).toHaveLength(call.length);
    expect(await indexedIn(client, { tenantId, category: 'log', hour: '2026-03-01T09' })).toEqual(
      jsonOf([log]),
    );
    expect(await indexedIn(client, { tenantId, category: 'public', hour: '2026-03-01T10' })).toEqual([]);
  });

  test('are found completely, wherever a page ends', async () => {
    const now = Date.UTC(2026, 2, 1, 9);
    const place = { tenantId, category: 'public' as const, hour: '2026-03-01T09' };
    const small = events(230, 'small').map((event) => [event]);
    // Each of these calls has one item of its own.
    const large = events(8, 'large').map((event) => [{ ...event, payload: { userId: 'x'.repeat(200_000) } }]);
    for (const [index, call] of [...small, ...large].entries())
      await new EventStore(client, 'events', () => now + index).append(tenantId, call);
    requests = [];
    const found = await indexedIn(client, place);
    expect(found.toSorted()).toEqual([...small, ...large].flatMap(jsonOf).toSorted());
    expect(found.filter((json) => json.includes('small'))).toEqual(small.flatMap(jsonOf));
    // The largest call of DynamoDB returns 100 items.
    expect(requests.filter((name) => name === 'BatchGetItem')).toHaveLength(3);
    expect(await indexedIn(client, place, 7)).toEqual(found);
  });

  test('are read hour by hour, and a reader continues where another one stopped', async () => {
    const start = Date.UTC(2026, 2, 1, 9);
    const accepted: string[][] = [];
    for (const [index, hour] of [0, 1, 1, 5, 300].entries()) {
      const call = Array.from({ length: 12 }, (_, n) => publicEvent(`aggregate ${n % 5}`));
      const at = start + hour * 3_600_000 + index;
      await new EventStore(client, 'events', () => at).append(tenantId, call);
      accepted[hour] = [...(accepted[hour] ?? []), ...jsonOf(call)];
    }
    const archive = new EventArchiveStore(client, 'events');
    const range = { tenantId, category: 'public' as const, from: start, to: start + 300 * 3_600_000 + 30 };
    requests = [];
    const { events: all, next } = await new ArchiveReader(archive, range).page(1_000_000);
    expect(next).toBeUndefined();
    expect(requests.filter((name) => name === 'Query')).toHaveLength(indexPartitions);
    const found = all.map(({ event }) => event);
    let position = 0;
    for (const its of accepted.filter(Boolean)) {
      const hour = found.slice(position, (position += its.length));
      expect(hour.toSorted()).toEqual(its.toSorted());
      for (const key of ['aggregate 0', 'aggregate 4'])
        expect(hour.filter((json) => json.includes(key))).toEqual(its.filter((json) => json.includes(key)));
    }
    for (const most of [1, 4]) {
      const portions: string[] = [];
      let place: ArchivePlace | undefined;
      do {
        const page = await new ArchiveReader(archive, range, place).page(1_000_000, most);
        portions.push(...page.events.map(({ event }) => event));
        place = page.next;
      } while (place);
      expect(portions).toEqual(found);
    }
  });

  test('are requested again when a replica does not have them yet, or has an earlier item', async () => {
    const now = Date.UTC(2026, 2, 1, 9);
    const call = [publicEvent('alice'), publicEvent('bob'), publicEvent('carol')];
    await new EventStore(client, 'events', () => now).append(tenantId, call);
    after = {
      command: 'BatchGetItem',
      run: ({ Responses: { events: items = [] } = {} }) => {
        items.shift();
        Object.assign(items[0] ?? {}, { sequence: { S: '0000000000000-0' }, event: { S: '{"earlier":1}' } });
      },
    };
    const found = await indexedIn(client, { tenantId, category: 'public', hour: '2026-03-01T09' });
    expect(found.toSorted()).toEqual(jsonOf(call).toSorted());
    expect(requests.filter((name) => name === 'BatchGetItem')).toHaveLength(2);
    expect(consistent).toEqual([false, true]);
  });

  test('are omitted from the archive when their retention is over', async () => {
    const now = Date.UTC(2026, 2, 1, 9);
    const [kept, gone] = events(2) as [PublicEvent, PublicEvent];
    const place = { tenantId, category: 'public' as const, hour: '2026-03-01T09' };
    for (const event of [kept, gone])
      await new EventStore(client, 'events', () => now).append(tenantId, [event]);
    after = {
      command: 'Query',
      run: async () => {
        const Key = { pk: partitionOf(gone), sk: gone.metadata.eventId };
        await client.send(new DeleteCommand({ TableName: 'events', Key }));
      },
    };
    const reader = new ArchiveReader(new EventArchiveStore(client, 'events'), {
      ...place,
      from: now,
      to: now + 1,
    });
    const page = await reader.page(1_000_000);
    expect(page.events.map(({ event }) => event)).toEqual(jsonOf([kept]));
  });

  test('travel together if they are of one aggregate, because a stream may reorder a transaction', async () => {
    const [call, other] = [events(30), events(2, 'bob')];
    await store.append(tenantId, [...call, ...other]);
    const carriers = await carriersIn(client, `${tenantId}#alice`);
    expect(carriers.map((item) => entriesIn(item).map(({ event }) => event))).toEqual([jsonOf(call)]);
    expect(carriers[0]).toMatchObject({ sk: call[0]?.metadata.eventId });
    const items = (await allItems(client)).filter(({ pk }) => pk.startsWith(tenantId));
    expect(items).toHaveLength(32);
    expect(items.filter((item) => entriesIn(item).length > 0 || 'sequence' in item)).toHaveLength(2);
  });

  test('are kept for 14 days', async () => {
    const now = Date.UTC(2026, 2, 1);
    const event = publicEvent();
    await new EventStore(client, 'events', () => now).append(tenantId, [event]);
    const [item] = await carriersIn(client, partitionOf(event));
    expect(item).toMatchObject({ ttl: Date.UTC(2026, 2, 15) / 1000 });
  });

  test('are separate for each tenant', async () => {
    const event = publicEvent();
    await store.append(tenantId, [event]);
    expect(await store.append(randomUUID(), [{ ...event, payload: { userId: 'another' } }])).toEqual([]);
  });
});

describe('a call of the largest size', () => {
  const filler = 'x'.repeat(31_000);

  test('is one transaction for one aggregate, and stays in order over several items', async () => {
    const call = Array.from({ length: 100 }, (_, index) => publicEvent('alice', `${index}${filler}`));
    expect(await store.append(tenantId, call)).toEqual([]);
    expect(requests).toEqual(['TransactWriteItems']);
    expect(await stored()).toEqual(jsonOf(call));
    expect((await carriersIn(client, `${tenantId}#alice`)).length).toBeLessThan(12);
  });

  test('is one transaction for as many aggregates', async () => {
    const call = Array.from({ length: 100 }, (_, index) => publicEvent(`user ${index}`, filler));
    expect(await store.append(tenantId, call)).toEqual([]);
    expect(requests).toEqual(['TransactWriteItems']);
    expect(await stored('user 99')).toEqual(jsonOf(call.slice(99)));
  });

  test('fits the items with the longest valid ids and types', async () => {
    const long = '\u{10ffff}'.repeat(500);
    const type = `X${'x'.repeat(194)}Event`;
    const call = Array.from({ length: 100 }, () => {
      const event = logEvent(long, 'x'.repeat(20_000));
      return { ...event, metadata: { ...event.metadata, type } };
    });
    expect(await store.append(tenantId, call)).toEqual([]);
    expect(await storedIn(client, `log#${tenantId}#${long}`)).toEqual(jsonOf(call));
  });

  test('is one item for each of the largest events', async () => {
    const call = Array.from({ length: 11 }, () => logEvent('alice', 'x'.repeat(262_144 - 400)));
    expect(await store.append(tenantId, call)).toEqual([]);
    expect(await carriersIn(client, `log#${tenantId}#alice`)).toHaveLength(11);
    expect(await store.append(tenantId, call)).toEqual([]);
  });
});

describe('a known event', () => {
  test('is accepted once, and found with one more read', async () => {
    const call = events(100);
    await store.append(tenantId, call);
    requests = [];
    expect(await store.append(tenantId, call)).toEqual([]);
    expect(requests).toEqual(['TransactWriteItems', 'BatchGetItem']);
    expect(await stored()).toEqual(jsonOf(call));
  });

  test('is identified whatever the order of its members and the case of its id', async () => {
    const { metadata, payload } = publicEvent();
    await store.append(tenantId, [{ metadata, payload: { a: 1, b: { c: 1, d: 2 } } }]);
    const turned = Object.fromEntries(Object.entries(metadata).reverse()) as typeof metadata;
    expect(
      await store.append(tenantId, [{ payload: { b: { d: 2, c: 1 }, a: 1 }, metadata: turned }]),
    ).toEqual([]);
    expect(await stored()).toHaveLength(1);

    const upperCase = { ...metadata, eventId: metadata.eventId.toUpperCase() };
    expect(await store.append(tenantId, [{ metadata: upperCase, payload }])).toEqual([0]);
    expect(await stored()).toHaveLength(1);
  });

  test('is identified only with its numbers as they were written', async () => {
    const pair = events(2);
    const callWith = (numbers: string): PublicEvent[] => {
      const payload = parseJson(numbers) as Record<string, unknown>;
      return pair.map((event) => ({ ...event, payload }));
    };
    const alone = publicEvent('bob');
    const call = callWith('{"n":12345678901234567890,"zero":-0,"one":1.0}');
    expect(await store.append(tenantId, [...call, alone])).toEqual([]);
    expect(await store.append(tenantId, [...call, alone])).toEqual([]);
    for (const numbers of [
      '{"n":12345678901234567891,"zero":-0,"one":1.0}',
      '{"n":12345678901234567890,"zero":0,"one":1.0}',
      '{"n":12345678901234567890,"zero":-0,"one":1}',
    ])
      expect(await store.append(tenantId, [...callWith(numbers), alone])).toEqual([0, 1]);
  });

  test('may be sent with new events, which follow it', async () => {
    const [first, second, third, fourth] = events(4) as [PublicEvent, PublicEvent, PublicEvent, PublicEvent];
    await store.append(tenantId, [second]);
    requests = [];
    expect(await store.append(tenantId, [first, second, third, fourth])).toEqual([]);
    expect(requests).toEqual(['TransactWriteItems', 'BatchGetItem', 'TransactWriteItems']);
    expect(await stored()).toEqual(jsonOf([second, first, third, fourth]));
  });

  test('refuses the whole call, and is named, when its content differs', async () => {
    const known = events(3);
    await store.append(tenantId, known);
    const [first, second, third] = known as [PublicEvent, PublicEvent, PublicEvent];
    const call = [
      publicEvent(),
      first,
      { ...second, payload: {} },
      publicEvent('bob'),
      { ...third, payload: {} },
    ];
    expect(await store.append(tenantId, call)).toEqual([2, 4]);
    expect(await stored()).toEqual(jsonOf(known));
    expect(await stored('bob')).toEqual([]);
  });

  test('is identified within its aggregate, or its agent', async () => {
    const event = publicEvent();
    await store.append(tenantId, [event]);
    const elsewhere = { ...event, metadata: { ...event.metadata, aggregateId: 'bob' } };
    expect(await store.append(tenantId, [elsewhere])).toEqual([]);
    const log = logEvent('alice');
    const sameId = { ...log, metadata: { ...log.metadata, eventId: event.metadata.eventId } };
    expect(await store.append(tenantId, [sameId])).toEqual([]);
    expect(await store.append(tenantId, [{ ...sameId, payload: 1 }])).toEqual([0]);
  });

  test('is identified by its id alone if it has no agent', async () => {
    const log = logEvent();
    await store.append(tenantId, [log]);
    expect(await store.append(tenantId, [log])).toEqual([]);
    expect(await store.append(tenantId, [{ ...log, payload: 1 }])).toEqual([0]);
  });
});

test('a call whose answer is lost is repeated, and its events are recorded once', async () => {
  const call = events(3);
  const late = Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });
  after = { command: 'TransactWriteItems', run: () => Promise.reject(late) };
  expect(await retryOnConflict(async () => await store.append(tenantId, call))).toEqual([]);
  expect(requests).toEqual(['TransactWriteItems', 'TransactWriteItems', 'BatchGetItem']);
  expect(await stored()).toEqual(jsonOf(call));
});

describe('concurrent calls', () => {
  /** As many Lambdas, whose clocks are up to 10 ms ahead or behind. */
  const lambdas = (count: number): EventStore[] =>
    Array.from({ length: count }, (_, index) => {
      const ahead = -10 + Math.round((20 * index) / (count - 1));
      return new EventStore(client, 'events', () => Date.now() + ahead);
    });
  const append = async (lambda: EventStore, call: Event[]) =>
    await retryOnConflict(async () => await lambda.append(tenantId, call));

  test('are all accepted if they are equal, and recorded once', async () => {
    await fc.assert(
      fc.asyncProperty(callOf(tenantId, 8), async (call) => {
        tenantId = randomUUID();
        const answers = await Promise.all(lambdas(5).map(async (lambda) => await append(lambda, call)));
        expect(answers).toEqual([[], [], [], [], []]);
        for (const [partition, its] of Map.groupBy(call, partitionOf)) {
          expect(await storedIn(client, partition)).toEqual(jsonOf(its));
        }
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  test('are all accepted if they overlap, and every event is recorded once', async () => {
    const all = events(12);
    const calls = lambdas(6).map((lambda, index) => ({ lambda, call: all.slice(index, index + 7) }));
    const answers = await Promise.all(calls.map(async ({ lambda, call }) => await append(lambda, call)));
    expect(answers.flat()).toEqual([]);
    expect((await stored()).toSorted()).toEqual(jsonOf(all).toSorted());
  });

  test('are refused except one if they have one id with different contents', async () => {
    const event = publicEvent();
    const calls = lambdas(6).map((lambda, index) => ({ lambda, call: [{ ...event, payload: { index } }] }));
    const answers = await Promise.all(calls.map(async ({ lambda, call }) => await append(lambda, call)));
    expect(answers.filter((taken) => taken.length === 0)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });

  test('keep every aggregate in the order of acceptance, then of the array', async () => {
    const accepted: { from: number; to: number; json: string[] }[] = [];
    let time = 0;
    const work = async (lambda: EventStore, pause: number) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const call = events(4);
        const from = (time += 1);
        await append(lambda, call);
        accepted.push({ from, to: (time += 1), json: jsonOf(call) });
        await wait(pause);
      }
    };
    await Promise.all(lambdas(6).map(async (lambda, index) => await work(lambda, index * 3)));

    const order = await stored();
    expect(order).toHaveLength(6 * 5 * 4);
    const placeOf = ({ json }: { json: string[] }) => order.indexOf(json[0] ?? '');
    for (const call of accepted) {
      const place = placeOf(call);
      expect(order.slice(place, place + 4)).toEqual(call.json);
      // Whoever was called after another's answer comes after it.
      for (const later of accepted.filter(({ from }) => from > call.to)) {
        expect(placeOf(later)).toBeGreaterThan(place);
      }
    }
  });

  test('keep the order of consecutive calls to Lambdas with different clocks', async () => {
    const [behind, ahead] = lambdas(2) as [EventStore, EventStore];
    const all = events(10);
    for (const [index, event] of all.entries()) {
      await append(index % 2 === 0 ? ahead : behind, [event]);
    }
    expect(await stored()).toEqual(jsonOf(all));
  });

  test('are repeated if they conflict over a new event', async () => {
    const [known, fresh] = events(2) as [PublicEvent, PublicEvent];
    await store.append(tenantId, [known]);
    const meanwhile = async () => {
      await store.append(tenantId, [fresh]);
    };
    after = { command: 'BatchGetItem', run: meanwhile };
    await expect(store.append(tenantId, [known, fresh])).rejects.toThrow(ConflictError);
    expect(await store.append(tenantId, [known, fresh])).toEqual([]);
    expect(await stored()).toEqual(jsonOf([known, fresh]));
  });
});
