import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verifyInclusion } from '#consumer';
import type { Event } from '../../../../core/events/event.ts';
import type { EventName } from '../../../../core/events/event-keys.ts';
import { checkpointEvent } from '../../../../core/export/log/checkpoint-event.ts';
import type { ClosingDeps } from '../../../../core/export/log/close-minutes.ts';
import { rootOfTree } from '../../../../core/export/log/growing-tree.ts';
import { hashOfMinute } from '../../../../core/export/log/leaf.ts';
import { listLeaves } from '../../../../core/export/log/list-minutes.ts';
import { rootOf } from '../../../../core/export/log/merkle-tree.ts';
import { minuteOf } from '../../../../core/export/log/minute.ts';
import { proveConsistency, proveInclusion } from '../../../../core/export/log/prove.ts';
import { ConflictError } from '../../../../core/kernel/conflict-error.ts';
import { minutes, seconds } from '../../../../core/kernel/time.ts';
import { isConsistent } from '../../../../packages/consumer/src/log/merkle.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { LogWorld } from '../../../support/log-world.ts';

let shared: LogWorld;
let world: LogWorld;
beforeAll(async () => {
  shared = await LogWorld.start();
});
beforeEach(() => {
  world = shared.another();
});

const start = Date.UTC(2026, 2, 1, 9);
const minute = minuteOf(start);
/** When the minute of `start` may be closed. */
const over = start + minutes + 20 * seconds;

const nameOf = ({ metadata }: Event): EventName =>
  metadata.category === 'public'
    ? { category: 'public', eventId: metadata.eventId, aggregateId: metadata.aggregateId }
    : { category: 'log', eventId: metadata.eventId, agent: metadata.agent };

const head = async () => await world.logs.head(world.ref());

async function leavesOf(name: string): Promise<string[]> {
  return (await listLeaves(world, await head(), name, 0)).leaves;
}

/** Every event is in the log once, under each size since, and each size is the beginning of the last one. */
async function expectAllInLog(events: readonly Event[]): Promise<void> {
  const { log, tree } = await head();
  const closed = await world.closed();
  const root = rootOf(closed.map(hashOfMinute));
  expect(rootOfTree(tree)).toEqual(root);
  expect(closed.map(({ leafIndex }) => leafIndex)).toEqual([...closed.keys()]);
  expect(closed.reduce((sum, { count }) => sum + count, 0)).toBe(events.length);
  for (const event of events) {
    const proof = await proveInclusion(world.proofs, { log }, nameOf(event), tree.size);
    const text = JSON.stringify(event);
    verifyInclusion({ text, eventId: event.metadata.eventId }, proof, { size: tree.size, root });
  }
  for (let size = 0; size <= tree.size; size += 1) {
    const earlier = { size, root: rootOf(closed.slice(0, size).map(hashOfMinute)) };
    const { path } = await proveConsistency(world.proofs, { log, tree }, { from: size, to: tree.size });
    const hashes = path.map((hash) => Buffer.from(hash, 'base64'));
    expect(isConsistent(earlier, { size: tree.size, root }, hashes)).toBe(true);
  }
}

describe('a minute', () => {
  test('is closed 20 seconds after its end, with all events in the order of their ids', async () => {
    const aggregate = randomUUID();
    const together = [world.event(aggregate), world.event(aggregate), world.event()];
    const upper = world.event(randomUUID(), randomUUID().toUpperCase());
    await world.accept(together, start);
    await world.accept([upper], start + 59_999);
    await world.close(over - 1);
    expect(await world.closed()).toEqual([]);
    await world.close(over);
    expect(await world.closed()).toMatchObject([{ minute, count: 4, leafIndex: 0 }]);
    const ids = (await leavesOf(minute)).map((leaf) => leaf.slice(0, 36));
    expect(ids).toEqual(
      [...together, upper]
        .map(({ metadata }) => metadata.eventId)
        .toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    );
    await expectAllInLog([...together, upper]);
  });

  test('reads nothing but the marks of busy minutes while nothing happens', async () => {
    const calls: string[] = [];
    const counted = <Of extends object>(what: Of): Of =>
      new Proxy(what, {
        get: (target, name) => {
          calls.push(String(name));
          const found: unknown = Reflect.get(target, name);
          return typeof found === 'function' ? (found.bind(target) as unknown) : found;
        },
      });
    const { busy, index, archive, logs, leaves, checkpoints } = world.deps;
    const deps: ClosingDeps = {
      busy: { upTo: async () => await Promise.resolve([]), remove: async (one) => await busy.remove(one) },
      ...{ index: counted(index), archive: counted(archive), logs: counted(logs) },
      ...{ leaves: counted(leaves), checkpoints: { ...checkpoints, logs: counted(checkpoints.logs) } },
    };
    await world.close(over, deps);
    expect(calls).toEqual([]);
  });

  test('a minute of the other category is closed apart, and an event of the log itself is in none', async () => {
    const event = {
      metadata: {
        ...{ eventId: randomUUID(), metadataVersion: '1.0', occurredTime: '2026-01-01T00:00:00Z' },
        ...{ producerId: 'identity', producerInstanceId: 'identity-1', tenantId: world.tenantId },
        ...{ category: 'log', description: 'Something', type: 'SomethingEvent' },
      },
    } as Event;
    await world.accept([event], start);
    const own = checkpointEvent(
      { ref: world.ref('log'), hour: '2026-03-01T08' },
      { size: 1, text: 'origin\n1\nroot\n\n— origin signature\n' },
      { instanceId: 'close-minutes', version: '1' },
      start,
    );
    await world.events.record(own, start);
    await world.close(over);
    expect(await world.closed()).toEqual([]);
    expect(await world.closed('log')).toMatchObject([{ minute, count: 1 }]);
    const { log, tree } = await world.logs.head(world.ref('log'));
    const proof = await proveInclusion(world.proofs, { log }, nameOf(event), tree.size);
    const place = { size: 1, root: rootOfTree(tree) };
    verifyInclusion({ text: JSON.stringify(event), eventId: event.metadata.eventId }, proof, place);
  });

  test('has events of two aggregates with the same id, each with its own proof', async () => {
    const id = randomUUID() as string;
    const [first, second] = [world.event(randomUUID(), id), world.event(randomUUID(), id)];
    await world.accept([first], start);
    await world.close(over);
    await world.accept([second], start + 2 * minutes);
    await world.close(over + 2 * minutes);
    await expectAllInLog([first, second]);
  });

  test('has more leaves than a page, and a proof for each', async () => {
    const aggregates = Array.from({ length: 11 }, () => randomUUID() as string);
    const calls = aggregates.map((aggregate) => Array.from({ length: 100 }, () => world.event(aggregate)));
    await Promise.all(calls.map(async (events) => await world.accept(events, start)));
    await world.close(over);
    expect(await world.closed()).toMatchObject([{ count: 1_100 }]);
    expect(await leavesOf(minute)).toHaveLength(1_100);
    const sorted = calls.flat().toSorted((a, b) => (a.metadata.eventId < b.metadata.eventId ? -1 : 1));
    const some = [0, 1, 511, 1_022, 1_023, 1_024, 1_099].map((position) => sorted[position]);
    const { log, tree } = await head();
    for (const event of some) {
      if (!event) throw new Error();
      const proof = await proveInclusion(world.proofs, { log }, nameOf(event), tree.size);
      const place = { size: 1, root: rootOfTree(tree) };
      verifyInclusion({ text: JSON.stringify(event), eventId: event.metadata.eventId }, proof, place);
    }
  });
});

/** The index without the items of these aggregates. */
const without = ({ index, ...deps }: ClosingDeps, hidden: ReadonlySet<string>): ClosingDeps => ({
  ...deps,
  index: {
    page: async (...args) => {
      const page = await index.page(...args);
      const items = page.items.filter(({ pk }) => !hidden.has(pk?.S?.split('#')[1] ?? ''));
      return { ...page, items };
    },
  },
});

describe('an event that the index shows late', () => {
  test('joins the batch of a later minute that has events', async () => {
    const [late, first, next] = [world.event(), world.event(), world.event()];
    await world.accept([late, first], start);
    await world.close(over, without(world.deps, new Set([late.metadata.aggregateId])));
    expect(await world.closed()).toMatchObject([{ minute, count: 1 }]);
    await world.accept([next], start + minutes);
    await world.close(over + minutes);
    expect(await world.closed()).toMatchObject([
      { count: 1 },
      { minute: minuteOf(start + minutes), count: 2 },
    ]);
    await expectAllInLog([late, first, next]);
  });

  test('joins the batch of the last minute that is over if none has events', async () => {
    const [late, first] = [world.event(), world.event()];
    await world.accept([late, first], start);
    await world.close(over, without(world.deps, new Set([late.metadata.aggregateId])));
    await world.close(over);
    expect(await world.closed()).toHaveLength(1);
    await world.close(over + minutes);
    expect(await world.closed()).toMatchObject([
      { count: 1 },
      { minute: minuteOf(start + minutes), count: 1 },
    ]);
    await expectAllInLog([late, first]);
  });

  test('is waited for until two minutes after its minute, and then its mark is removed', async () => {
    await world.accept([world.event()], start);
    const marks = async () =>
      (await world.busy.upTo(minute)).filter(({ ref }) => ref.tenantId === world.tenantId).length;
    await world.close(over);
    expect(await marks()).toBe(1);
    await world.close(start + 3 * minutes - 1);
    expect(await marks()).toBe(1);
    await world.close(start + 3 * minutes);
    expect(await marks()).toBe(0);
  });

  test('keeps its mark if it was marked again meanwhile', async () => {
    await world.accept([world.event()], start);
    const [mark] = (await world.busy.upTo(minute)).filter(({ ref }) => ref.tenantId === world.tenantId);
    if (!mark) throw new Error();
    // The memory of a Lambda ends a minute after the minute.
    await world.busy.mark([mark], start + 2 * minutes);
    await world.busy.remove(mark);
    const again = (await world.busy.upTo(minute)).filter(({ ref }) => ref.tenantId === world.tenantId);
    expect(again).toMatchObject([{ markedAt: start + 2 * minutes }]);
  });
});

describe('whatever fails, a minute is closed once', () => {
  const failing = (change: Partial<ClosingDeps['logs']>): ClosingDeps => ({
    ...world.deps,
    logs: {
      minutes: async (...args) => await world.logs.minutes(...args),
      close: async (closing) => await world.logs.close(closing),
      ...change,
    },
  });
  const dies = async (): Promise<never> => await Promise.reject(new Error('killed'));

  test('by Lambdas that close it at the same time', async () => {
    const events = Array.from({ length: 7 }, () => world.event());
    await world.accept(events, start);
    await Promise.allSettled(Array.from({ length: 5 }, async () => await world.close(over)));
    await world.close(over);
    expect(await world.closed()).toMatchObject([{ count: 7 }]);
    await expectAllInLog(events);
  });

  test('by Lambdas that see different events', async () => {
    const [one, other] = [world.event(), world.event()];
    await world.accept([one, other], start);
    const seeing = [one, other].map(({ metadata }) => without(world.deps, new Set([metadata.aggregateId])));
    await Promise.allSettled(seeing.map(async (deps) => await world.close(over, deps)));
    expect(await world.closed()).toMatchObject([{ count: 1 }]);
    await world.close(over + minutes);
    await expectAllInLog([one, other]);
  });

  test('if the Lambda is killed before the transaction, and while its leaves are written', async () => {
    const event = world.event();
    await world.accept([event], start);
    await expect(world.close(over, failing({ close: dies }))).rejects.toThrow('not closed');
    const leaves = {
      page: dies,
      keep: dies,
      keepLate: async () => await Promise.resolve(),
    };
    await expect(world.close(over, { ...world.deps, leaves })).rejects.toThrow('not closed');
    expect(await world.closed()).toEqual([]);
    await world.close(over);
    await expectAllInLog([event]);
  });

  test('if the Lambda is killed after the transaction, or its answer is lost', async () => {
    const event = world.event();
    await world.accept([event], start);
    const lost = failing({
      close: async (closing) => {
        await world.logs.close(closing);
        throw new ConflictError('the answer was lost');
      },
    });
    await world.close(over, lost);
    const killed = failing({
      close: async (closing) => {
        await world.logs.close(closing);
        return await dies();
      },
    });
    const next = world.event();
    await world.accept([next], start + minutes);
    await expect(world.close(over + minutes, killed)).rejects.toThrow('not closed');
    await world.close(over + 2 * minutes);
    expect(await world.closed()).toMatchObject([{ count: 1 }, { count: 1 }]);
    await expectAllInLog([event, next]);
  });

  test('while the log of another tenant fails', async () => {
    const other = shared.another();
    const [event, broken] = [world.event(), other.event()];
    await world.accept([event], start);
    await other.accept([broken], start);
    const deps = failing({
      close: async (closing) =>
        await (closing.head.log.tenantId === other.tenantId ? dies() : world.logs.close(closing)),
    });
    await expect(world.close(over, deps)).rejects.toThrow('not closed');
    await expectAllInLog([event]);
    await world.close(over);
    expect(await other.closed()).toMatchObject([{ count: 1 }]);
  });

  test('and continues with the next call if its time is over', async () => {
    const events = [world.event(), world.event()];
    await world.accept(events.slice(0, 1), start);
    await world.accept(events.slice(1), start + minutes);
    const { closeMinutes } = await import('../../../../core/export/log/close-minutes.ts');
    await closeMinutes(world.deps, over + minutes, Date.now() - 1);
    expect(await world.closed()).toEqual([]);
    await world.close(over + minutes);
    await expectAllInLog(events);
  });
});

type Step = { accepts: number; minute: number; hides: boolean; dies: 'no' | 'before' | 'after' };

test('every event is in the log exactly once, whatever is late or killed', async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    accepts: fc.nat(3),
    minute: fc.nat(2),
    hides: fc.boolean(),
    dies: fc.constantFrom('no' as const, 'no' as const, 'before' as const, 'after' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      world = shared.another();
      const all: Event[] = [];
      for (const [position, { accepts, minute: back, hides, dies }] of steps.entries()) {
        const now = over + position * minutes;
        const events = Array.from({ length: accepts }, () => world.event());
        // Some were accepted up to two minutes ago, and their marks come late.
        if (events.length > 0)
          await world.accept(events, start + Math.max(0, position - back) * minutes, now);
        all.push(...events);
        const hidden = new Set(hides ? events.map(({ metadata }) => metadata.aggregateId) : []);
        const seen = without(world.deps, hidden);
        const close = async (...args: Parameters<ClosingDeps['logs']['close']>): Promise<boolean> => {
          if (dies === 'before') throw new Error('killed');
          const isClosed = await world.logs.close(...args);
          if (dies === 'after') throw new Error('killed');
          return isClosed;
        };
        const logs = new Proxy(world.logs, {
          get: (target, name) => {
            if (name === 'close') return close;
            const found: unknown = Reflect.get(target, name);
            return typeof found === 'function' ? (found.bind(target) as unknown) : found;
          },
        });
        await world.close(now, { ...seen, logs }).catch(() => undefined);
      }
      await world.close(over + steps.length * minutes);
      await world.close(over + (steps.length + 1) * minutes);
      await expectAllInLog(all);
    }),
    { numRuns: propertyRuns(40) },
  );
});
