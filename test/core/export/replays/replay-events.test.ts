import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readReplay } from '../../../../core/export/replays/replay-queue.ts';
import { indexPartitions, sequenceAt, shardKey } from '../../../../core/events/event-keys.ts';
import { isReplayLane } from '../../../../core/export/targets/lanes.ts';
import { isDrained, isWaiting } from '../../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { hours, minutes, seconds } from '../../../../core/kernel/time.ts';
import { queues } from '../../../../core/aws/queues.ts';
import type { Replay } from '../../../../core/export/replays/replay.ts';
import {
  receivesOfAMessage,
  replayEvents,
  replayPace,
  type ReplayDeps,
} from '../../../../core/export/replays/replay-events.ts';
import { ReplayRefused, startReplay } from '../../../../core/export/replays/start-replay.ts';
import { ExportWorld, quickPace, series, type TestEvent } from '../../../support/export-world.ts';
import { until } from '../../../support/waiting.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

/** A full hour, three of them ago. */
const hour = Math.floor((Date.now() - 3 * hours) / hours) * hours;
const range = { from: hour, to: hour + hours };

/** Twenty events that came one by one, so that a replay takes them in three portions. */
const inPortions = { ...range, portion: 7 };
async function recordTwenty(ref: TargetRef): Promise<string[]> {
  const ids: string[] = [];
  for (const event of series('a', 1, 20)) ids.push(...(await world.record(ref, [event], hour + event.n)));
  return ids;
}

const usualPace = { ...replayPace, index: 0 };
/** A portion is a page: events are large here, and one page is enough. */
const small = { ...quickPace, bytes: 1 };
const large = (events: TestEvent[]): TestEvent[] =>
  events.map((event) => ({ ...event, filler: 'x'.repeat(150_000) }));

const numbersOf = (events: { key: string; n: number }[], key: string): number[] =>
  events.filter((event) => event.key === key).map(({ n }) => n);

const firstOf = (numbers: number[]): number[] => [...new Set(numbers)];

const replayLanes = async (ref: TargetRef): Promise<string[]> => {
  const target = await world.target(ref);
  return Object.keys(target.parkedThrough).filter((lane) => isReplayLane(lane) && isWaiting(target, lane));
};

describe('a replay', () => {
  test('sends events again under their ids, in order per aggregate, in portions', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 2 });
    const keys = ['a', 'b', 'c'];
    const ids: string[] = [];
    for (const [index, at] of [hour, hour + minutes, hour + hours, hour + hours + 1].entries())
      for (const key of keys) ids.push(...(await world.record(ref, large(series(key, 4 * index, 4)), at)));

    const replay = await world.startReplay({ ...ref, from: hour, to: hour + 2 * hours });
    const progress = await world.finishReplay(replay, small);
    const consumed = await world.consumedEvents(name);
    expect(consumed.map(({ eventId }) => eventId).toSorted()).toEqual(ids.toSorted());
    for (const key of keys) expect(numbersOf(consumed, key)).toEqual(series(key, 0, 16).map(({ n }) => n));
    expect(progress).toMatchObject({ state: 'done', eventsSent: 48, from: hour });
    // On a busy machine a delivery may count as slow, which degrades the target until the next one.
    expect(await world.target(ref)).toMatchObject({
      state: expect.stringMatching(/^(active|degraded)$/) as unknown,
      acceptedCount: 0,
      deliveredCount: 0,
      parkedCount: 0,
      replayedCount: 48,
    });
  });

  test('includes its first millisecond and ends before its end, by time of acceptance', async () => {
    const { ref, name } = await world.streamTarget();
    const at = { before: hour + 7, begin: hour + 8, last: hour + hours + 4, end: hour + hours + 5 };
    for (const [index, time] of Object.values(at).entries())
      await world.record(ref, series('a', index, 1), time);
    await world.finishReplay(await world.startReplay({ ...ref, from: at.begin, to: at.end }));
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
  });

  test('sends only the requested types among those that the target wants', async () => {
    const { ref, name } = await world.streamTarget({ types: ['UserCreatedEvent', 'UserBlockedEvent'] });
    const types = ['UserCreatedEvent', 'UserBlockedEvent', 'UserSignedInEvent'];
    await world.record(
      ref,
      types.map((type, n) => ({ key: 'a', n, type })),
      hour,
    );
    const asked = ['UserBlockedEvent', 'UserSignedInEvent'];
    const progress = await world.finishReplay(await world.startReplay({ ...ref, ...range, types: asked }));
    expect(await world.consumed(name)).toEqual([{ key: 'a', n: 1 }]);
    expect(progress).toMatchObject({ types: asked, eventsSent: 1 });
  });

  test('sends what was given up, nothing that was accepted between, and is the only one of its target', async () => {
    const { ref, name } = await world.streamTarget();
    for (const event of series('a', 1, 6)) await world.record(ref, [event], hour + 1_000 * event.n);
    const ranges = [
      { from: hour + 1_000, to: hour + 2_000 },
      { from: hour + 4_000, to: hour + 6_000 },
    ];
    const request = { ...ref, from: hour, to: hour + 6_000, givenUp: { ranges, count: 3 } };
    const running = await world.startReplay(request);
    const refused = await startReplay(world.replays, request).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'replay-running' });
    expect(await world.finishReplay(running)).toMatchObject({ state: 'done', eventsSent: 3 });
    expect(numbersOf(await world.consumed(name), 'a')).toEqual([1, 4, 5]);
    expect(await world.finishReplay(await world.startReplay(request))).toMatchObject({ state: 'done' });
  });

  test('sends single events by their ids, also of those that were accepted together', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const together = await world.record(ref, series('a', 1, 3), hour);
    const alone = await world.record(ref, series('b', 4, 1), hour + minutes);
    await world.record(ref, series('b', 5, 1), hour + 2 * minutes);
    const later = await world.record(ref, series('b', 6, 1), hour + hours);
    const eventIds = [together[1], alone[0], later[0]].map((id) => String(id).toUpperCase());
    const replay = await world.startReplay({ ...ref, ...range, eventIds });
    const progress = await world.finishReplay(replay, small);
    expect((await world.consumed(name)).toSorted((a, b) => a.n - b.n)).toEqual([
      { key: 'a', n: 2 },
      { key: 'b', n: 4 },
    ]);
    expect(progress).toMatchObject({ state: 'done', eventsSent: 2 });
  });

  test('a replay of single events goes on where a step ended', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const ids = await recordTwenty(ref);
    const eventIds = [ids[2], ids[9], ids[17]].map(String);
    const replay = await world.startReplay({ ...ref, ...inPortions, eventIds });
    // A page for each step.
    const progress = await world.finishReplay(replay, { ...quickPace, reading: -1 });
    expect((await world.consumed(name)).map(({ n }) => n)).toEqual([3, 10, 18]);
    expect(progress).toMatchObject({ state: 'done', eventsSent: 3 });
    expect(progress.steps).toBeGreaterThan(1);
  });

  test('affects one tenant and category', async () => {
    const { ref, name } = await world.streamTarget();
    await world.record({ ...ref, category: 'log' }, series('a', 1, 1), hour);
    await world.record({ ...ref, tenantId: randomUUID() }, series('a', 2, 1), hour);
    await world.record(ref, series('a', 3, 1), hour);
    await world.finishReplay(await world.startReplay({ ...ref, ...range }));
    expect(await world.consumed(name)).toEqual(series('a', 3, 1));
  });

  test('writes log events to a bucket as lines', async () => {
    const { ref, name } = await world.bucketTarget('log');
    const ids = await world.record(ref, series('agent', 1, 3), hour);
    await world.finishReplay(await world.startReplay({ ...ref, ...range }));
    const lines = await world.written(name);
    expect(lines).toMatch(/^\{"events":\[.*\]\}\n$/);
    for (const id of ids) expect(lines).toContain(id);
  });

  test('skips items that are no event, and events of other targets', async () => {
    const { ref, name } = await world.streamTarget();
    const eventOf = (n: number): string => JSON.stringify({ metadata: { key: 'a', n } });
    const items: { pk: string; event: string }[] = [
      { pk: `${ref.tenantId}#a`, event: '{"torn":' },
      { pk: `${ref.tenantId}#a`, event: eventOf(1) },
      { pk: `${randomUUID()}#a`, event: eventOf(2) },
      { pk: `log#${ref.tenantId}#a`, event: eventOf(3) },
      { pk: 'nobody', event: eventOf(4) },
    ];
    const shared = { type: 'TestEvent', shard: shardKey({ ...ref, by: 'platform', shard: 0 }) };
    for (const [n, item] of items.entries()) {
      const Item = { ...shared, ...item, sk: randomUUID(), sequence: `${sequenceAt(hour + n)}-0` };
      await world.dynamodb.send(new PutCommand({ TableName: 'events', Item }));
    }
    await world.finishReplay(await world.startReplay({ ...ref, ...range }));
    expect(await world.consumed(name)).toEqual([{ key: 'a', n: 1 }]);
  });

  test('handles at most the given number of events per step, and counts its steps', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const ids = await recordTwenty(ref);
    const replay = await world.startReplay({ ...ref, ...range, portion: 1 });
    await until(async () => {
      await world.replayStep();
      return (await replayLanes(ref)).length > 0;
    });
    expect(await world.progress(replay)).toMatchObject({ state: 'running', eventsSent: 1, steps: 1 });
    const { steps, eventsSent } = await world.finishReplay(replay);
    expect({ eventsSent, isOneAtATime: steps === 20 || steps === 21 }).toEqual({
      eventsSent: 20,
      isOneAtATime: true,
    });
    expect((await world.consumedEvents(name)).map(({ eventId }) => eventId)).toEqual(ids);
  });

  test('sends events again that were replayed a moment before', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    await world.record(ref, series('a', 1, 3), hour);
    for (let time = 0; time < 2; time += 1)
      await world.finishReplay(await world.startReplay({ ...ref, ...range }));
    expect(await world.consumed(name)).toEqual([...series('a', 1, 3), ...series('a', 1, 3)]);
  });

  test('puts events on the shards of their first delivery', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 4, shards: 2 });
    const events = Array.from({ length: 20 }, (_, n) => ({ key: `key-${n}`, n }));
    await world.export(world.records(ref, events));
    const partitionKeys = new Set((await world.read(name)).map(({ partitionKey }) => partitionKey));
    const sizes = await world.shardSizes(name);
    await world.record(ref, events, hour);
    await world.finishReplay(await world.startReplay({ ...ref, ...range }));
    expect(new Set((await world.read(name)).map(({ partitionKey }) => partitionKey))).toEqual(partitionKeys);
    expect(await world.shardSizes(name)).toEqual(sizes.map((size) => 2 * size));
  });
});

test('a replay begins with the oldest stored event, however long ago its range begins', async () => {
  const { ref } = await world.streamTarget();
  const kept = Date.now() - 14 * 24 * hours;
  const replay = await world.startReplay({ ...ref, from: 0, to: hour });
  expect((await world.progress(replay)).from).toBeGreaterThanOrEqual(kept);
  const [message, ...others] = await world.receiveReplays();
  expect(others).toEqual([]);
  expect(message && readReplay(message.body)?.from).toBe((await world.progress(replay)).from);
  await world.settleReplays(message ? [message] : [], true);
});

describe('a replay under way', () => {
  test('does not queue new events behind it', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    await recordTwenty(ref);
    const replay = await world.startReplay({ ...ref, ...inPortions });
    await world.replayStep();
    expect(await replayLanes(ref)).toEqual(['0/1/replay']);

    expect(await world.export(world.records(ref, series('a', 21, 2)))).toEqual([]);
    expect(await world.consumed(name)).toEqual(series('a', 21, 2));
    const target = await world.target(ref);
    // Events wait, so the target is not called active.
    expect(target.state).toBe('degraded');
    expect(isWaiting(target, '0/1')).toBe(false);

    await world.finishReplay(replay);
    expect((await world.target(ref)).state).toBe('active');
    expect(await world.consumed(name)).toEqual([...series('a', 21, 2), ...series('a', 1, 20)]);
  });

  test('sends its next portion after the previous one is delivered', async () => {
    const { ref } = await world.streamTarget({ lanes: 1 });
    await recordTwenty(ref);
    const replay = await world.startReplay({ ...ref, ...inPortions });
    const steps = async () => {
      for (let step = 0; step < 3; step += 1) await world.replayStep();
      return (await world.target(ref)).replayWaitingCount ?? 0;
    };
    const waiting = await steps();
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(20);
    expect(await steps()).toBe(waiting);
    expect((await world.progress(replay)).eventsSent).toBe(waiting);
    await world.finishReplay(replay);
  });

  test('lets new events through to a target that throttles it', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    await world.record(ref, series('a', 1, 2), hour);
    const replay = await world.startReplay({ ...ref, ...range });
    await until(async () => {
      await world.replayStep();
      return (await replayLanes(ref)).length > 0;
    });
    world.cloud.faults.add({ service: 'kinesis', fault: 'throttle', resource: name });
    await world.redeliver();
    expect(await world.target(ref)).toMatchObject({ state: 'degraded', fault: { actor: 'nobody' } });
    world.cloud.faults.clear();

    await world.export(world.records(ref, series('a', 3, 1)));
    expect(await world.consumed(name)).toEqual(series('a', 3, 1));
    await world.finishReplay(replay);
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual([...series('a', 3, 1), ...series('a', 1, 2)]);
  });
});

/** Steps are taken as the queue hands their message over, with a count of receives that a test may choose. */
async function waitingStep(receives?: number): Promise<{ wait: number | undefined; taken: number }> {
  const [message] = await world.receiveReplays();
  const replay = message && readReplay(message.body);
  if (!replay) throw new Error('No replay waits');
  const taken = Number(message.attributes.ApproximateReceiveCount);
  const wait = await replayEvents(world.replays, { replay, receives: receives ?? taken }, usualPace);
  await world.settleReplays([message], wait === undefined);
  return { wait, taken };
}

/** A replay whose first portion is parked, and whose second has to wait for it. */
async function heldBack() {
  const { ref, name } = await world.streamTarget({ lanes: 1 });
  await recordTwenty(ref);
  const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
  const replay = await world.startReplay({ ...ref, ...inPortions });
  await world.replayStep();
  await world.redeliver();
  expect((await world.target(ref)).state).toBe('parked');
  return { ref, name, replay, recovered: () => world.cloud.faults.remove(id) };
}

describe('a replay that waits behind a target that refuses', () => {
  test('waits an hour in one message, and continues when the target recovers', async () => {
    const { name, replay, recovered } = await heldBack();
    const sent = () => world.callsOf('SendMessage', 'replays');
    const before = sent();
    let waited = 0;
    for (let count = 1; waited < hours / seconds; count += 1) {
      const { wait = 0, taken } = await waitingStep();
      expect(taken).toBe(count);
      waited += wait;
    }
    expect(sent()).toBe(before);
    recovered();
    await world.finishReplay(replay);
    expect(firstOf(numbersOf(await world.consumed(name), 'a'))).toEqual(series('a', 1, 20).map(({ n }) => n));
  });

  test('is sent as a new message before the old one is received too often, and keeps its progress', async () => {
    const { name, replay, recovered } = await heldBack();
    const place = (await world.progress(replay)).position;
    expect(receivesOfAMessage).toBeLessThan(queues.replays.maxReceiveCount / 2);
    const anew = async (receives: number) => (await waitingStep(receives)).wait;
    expect(await anew(receivesOfAMessage - 1)).toBe(60);
    const { replays } = world;
    const queue = { send: async (sent: Replay) => await replays.queue.send(sent, 0) };
    const [message] = await world.receiveReplays();
    const asked = message && readReplay(message.body);
    if (!asked) throw new Error('No replay waits');
    const atLast = { replay: asked, receives: receivesOfAMessage };
    expect(await replayEvents({ ...replays, queue }, atLast, usualPace)).toBeUndefined();
    await world.settleReplays([message], true);
    expect((await waitingStep()).taken).toBe(1);
    expect((await world.progress(replay)).position).toBe(place);
    recovered();
    await world.finishReplay(replay);
    expect(firstOf(numbersOf(await world.consumed(name), 'a'))).toEqual(series('a', 1, 20).map(({ n }) => n));
  });
});

describe('a replay into a target that refuses', () => {
  test('waits, and continues when the target recovers', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    await world.record(ref, series('a', 1, 3), hour);
    const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
    await world.export(world.records(ref, series('a', 4, 1)));
    const replay = await world.startReplay({ ...ref, ...range });
    await until(async () => {
      await world.replayStep();
      return (await world.progress(replay)).state === 'done';
    });
    await world.redeliver();
    expect(await world.target(ref)).toMatchObject({
      state: 'parked',
      parkedCount: 1,
      replayWaitingCount: 3,
      fault: { actor: 'tenant' },
    });
    expect(await replayLanes(ref)).toEqual(['0/1/replay']);

    world.cloud.faults.remove(id);
    await world.drain(ref);
    expect((await world.consumed(name)).map(({ n }) => n).toSorted()).toEqual([1, 2, 3, 4]);
    expect(isDrained(await world.target(ref))).toBe(true);
  });

  test('waits also while the target is paused', async () => {
    const { ref, name } = await world.streamTarget();
    await world.record(ref, series('a', 1, 2), hour);
    await world.deps.targets.transition(await world.target(ref), 'pause', Date.now());
    const replay = await world.startReplay({ ...ref, ...range });
    await until(async () => {
      await world.replayStep();
      await world.redeliver();
      return (await world.progress(replay)).state === 'done';
    });
    expect(await world.consumed(name)).toEqual([]);
    await world.deps.targets.transition(await world.target(ref), 'resume', Date.now());
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
  });
});

describe('a step that crashes', () => {
  const dying = async (): Promise<never> => await Promise.reject(new Error('killed'));

  const { park, watermarks, send, advance } = {
    park: (deps: ReplayDeps): ReplayDeps => ({ ...deps, parking: { park: dying } }),
    watermarks: (deps: ReplayDeps): ReplayDeps => ({ ...deps, watermarks: { parked: dying } }),
    send: (deps: ReplayDeps): ReplayDeps => ({ ...deps, queue: { send: dying } }),
    advance: ({ replays, ...deps }: ReplayDeps): ReplayDeps => ({
      ...deps,
      replays: { find: replays.find.bind(replays), advance: dying, finish: dying, fail: dying },
    }),
  };

  test.each([
    ['before its events are parked', park],
    ['before the watermarks of what it parked are written', watermarks],
    ['before the next message is sent', send],
    ['before the progress is written', advance],
  ])('is repeated without loss or reordering when it crashes %s', async (_, dead) => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const ids = await recordTwenty(ref);
    const replay = await world.startReplay({ ...ref, ...inPortions });
    const deps = dead(world.replays);
    expect(await world.replayStep(quickPace, deps)).toBe(false);

    const progress = await world.finishReplay(replay);
    const consumed = await world.consumedEvents(name);
    expect(firstOf(numbersOf(consumed, 'a'))).toEqual(series('a', 1, 20).map(({ n }) => n));
    expect(new Set(consumed.map(({ eventId }) => eventId))).toEqual(new Set(ids));
    expect(progress).toMatchObject({ state: 'done', eventsSent: 20 });
  });

  test('starts no second replay when it left two messages', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    await world.record(ref, series('a', 1, 3), hour);
    const replay = await world.startReplay({ ...ref, ...range });
    const [late] = await world.receiveReplays();
    if (!late) throw new Error('The replay was not begun');
    await world.settleReplays([late], false);
    await world.finishReplay(replay);
    const { queue } = world.replays;
    await queue.send({ ...replay, ...ref, ...range }, 0);
    expect(await world.replayStep()).toBe(true);
    expect(await world.replayStep()).toBe(false);
    expect(await world.consumed(name)).toEqual(series('a', 1, 3));
  });
});

describe('a replay that cannot send anything', () => {
  const ask = async (changes: object) => {
    const { ref } = await world.streamTarget();
    return await world.startReplay({ ...ref, ...range, ...changes }).catch((error: unknown) => error);
  };

  test.each([
    ['a range that ends before it begins', { to: hour }, /empty/],
    ['a range that ends in the future', { to: Date.now() + hours }, /future/],
    ['a range of which nothing is kept', { from: 0, to: hour - 15 * 24 * hours }, /no longer stored/],
    ['no types at all', { types: [] }, /types/],
    ['a tenant without a target', { tenantId: randomUUID() }, /no target/],
    ['an invalid time', { from: Number.NaN }, /from/],
  ])('is refused with the reason: %s', async (_, changes, why) => {
    const refused = await ask(changes);
    expect(refused).toBeInstanceOf(ReplayRefused);
    expect((refused as Error).message).toMatch(why);
    expect(await world.receiveReplays()).toEqual([]);
  });

  test('is refused when the target is none, and fails when it becomes none', async () => {
    const { ref } = await world.streamTarget();
    await world.record(ref, series('a', 1, 1), hour);
    const replay = await world.startReplay({ ...ref, ...range });
    await world.deps.targets.register(ref, { kind: 'none' }, Date.now());
    await expect(world.startReplay({ ...ref, ...range })).rejects.toThrow(/none/);
    await world.replayStep();
    expect(await world.progress(replay)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('none') as unknown,
    });
    expect(await world.replayStep()).toBe(false);
  });

  test('is reported as failed when its first message could not be sent', async () => {
    const { ref } = await world.streamTarget();
    let id = '';
    const queue = { send: async () => await Promise.reject(new Error('unavailable')) };
    const begin = world.replays.replays.begin.bind(world.replays.replays);
    const replays = {
      begin: async (...given: Parameters<typeof begin>) => {
        id = given[0].replayId;
        return await begin(...given);
      },
      fail: world.replays.replays.fail.bind(world.replays.replays),
    };
    await expect(startReplay({ ...world.replays, queue, replays }, { ...ref, ...range })).rejects.toThrow();
    expect((await world.progress({ tenantId: ref.tenantId, replayId: id })).state).toBe('failed');
  });
});

test('a replay of few events queries the index once for each shard of an hour', async () => {
  const { ref } = await world.streamTarget();
  await world.record(ref, series('a', 1, 1), hour);
  const queries = () => world.cloud.calls.list().filter(({ operation }) => operation === 'Query').length;
  const before = queries();
  await world.finishReplay(await world.startReplay({ ...ref, ...range }));
  expect(queries() - before).toBe(indexPartitions);
});

test('a replay of the newest events waits until their index has them, and reads nothing before', async () => {
  const { ref } = await world.streamTarget();
  const to = Date.now();
  await world.startReplay({ ...ref, from: to - hours, to });
  const [message] = await world.receiveReplays();
  const replay = readReplay(message?.body ?? '');
  if (!replay) throw new Error('No message has come');
  const reads = world.callsOf('GetItem', 'tenants');
  expect(
    await replayEvents(world.replays, { replay, receives: 1 }, { ...usualPace, index: 30 }),
  ).toBeGreaterThan(0);
  expect(world.callsOf('GetItem', 'tenants')).toBe(reads);
});
