import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { exportBatch } from '../../../../core/export/delivery/export-batch.ts';
import { isDrained } from '../../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { timeBudget } from '../../../../core/export/delivery/export-batch.ts';
import { ExportWorld, patient, series } from '../../../support/export-world.ts';
import { until } from '../../../support/waiting.ts';
import { trustPolicyOf } from '../../../support/trust-policy.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

describe('events of a tenant with a stream', () => {
  test('arrive as several events per record, in order of acceptance', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const records = world.records(ref, series('a', 1, 5));
    expect(await world.export(records.toReversed())).toEqual([]);

    const [record, ...others] = await world.read(name);
    expect(others).toEqual([]);
    expect(record?.data).toMatch(/^\{"events":\[\{.*\}\]\}$/);
    expect(await world.consumed(name)).toEqual(series('a', 1, 5));
  });

  test('use few partition keys, always the same one for an aggregate, spread over the shards', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 4, shards: 2 });
    const keys = Array.from({ length: 40 }, (_, index) => `aggregate-${index}`);
    for (const n of [1, 2])
      await world.export(
        world.records(
          ref,
          keys.map((key) => ({ key, n })),
        ),
      );

    const read = await world.read(name);
    const partitionKeys = new Map<string, Set<string | undefined>>();
    for (const { data, partitionKey } of read) {
      const { events } = JSON.parse(data) as { events: { metadata: { key: string } }[] };
      for (const { metadata } of events)
        partitionKeys.set(metadata.key, (partitionKeys.get(metadata.key) ?? new Set()).add(partitionKey));
    }
    expect(new Set(read.map(({ partitionKey }) => partitionKey)).size).toBe(4);
    expect([...partitionKeys.values()].every(({ size }) => size === 1)).toBe(true);
    expect(await world.shardSizes(name)).toEqual([4, 4]);
  });

  test('arrive only if the tenant wants their type', async () => {
    const { ref, name } = await world.streamTarget({ types: ['UserCreatedEvent'] });
    const wanted = { key: 'a', n: 1, type: 'UserCreatedEvent' };
    const log = { ...ref, category: 'log' as const };
    expect(
      await world.export(
        world.records(ref, [wanted, { key: 'a', n: 2, type: 'UserBlockedEvent' }]),
        world.records(log, series('a', 3, 1)),
      ),
    ).toEqual([]);
    expect(await world.consumed(name)).toEqual([{ key: 'a', n: 1 }]);
  });

  test('arrive in several records within the limits when they are large', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const large = series('a', 1, 9).map((event) => ({ ...event, filler: '中'.repeat(85_000) }));
    expect(await world.export(world.records(ref, large))).toEqual([]);
    expect((await world.read(name)).length).toBe(3);
    expect(await world.consumed(name)).toEqual(series('a', 1, 9));
  });

  test('are written with credentials requested once an hour, for this stream alone', async () => {
    const { ref, destination } = await world.streamTarget();
    for (const n of [1, 2, 3]) await world.export(world.records(ref, series('a', n, 1)));
    expect(world.callsOf('AssumeRole', destination.roleArn)).toBe(1);
  });

  test('arrive although the credentials expired early', async () => {
    const { ref, name } = await world.streamTarget();
    await world.export(world.records(ref, series('a', 1, 1)));
    world.cloud.sessions.expireAll();
    expect(await world.export(world.records(ref, series('a', 2, 1)))).toEqual([]);
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
  });

  test.each([
    ['a stream that throttles some records', { service: 'kinesis', fault: 'partial', ratio: 0.4, times: 4 }],
    ['a stream that throttles whole calls', { service: 'kinesis', fault: 'throttle', times: 3 }],
    ['a stream that is briefly unavailable', { service: 'kinesis', fault: 'unavailable', times: 2 }],
    ['an STS that throttles', { service: 'sts', fault: 'throttle', times: 2 }],
  ] as const)('arrive in order through %s', async (_, fault) => {
    const { ref, name } = await world.streamTarget({ lanes: 4 });
    world.cloud.faults.add({ ...fault, resource: fault.service === 'sts' ? ref.tenantId : name });
    const keys = Array.from({ length: 8 }, (__, index) => `aggregate-${index}`);
    const events = [1, 2, 3].flatMap((n) => keys.map((key) => ({ key, n })));
    expect(await world.export(world.records(ref, events))).toEqual([]);

    expect((await world.target(ref)).state).toBe('active');
    const consumed = await world.consumed(name);
    expect(consumed).toHaveLength(events.length);
    for (const key of keys) {
      expect(consumed.filter((event) => event.key === key).map(({ n }) => n)).toEqual([1, 2, 3]);
    }
  });
});

describe('events of a tenant with a bucket', () => {
  test('arrive as lines with several events each', async () => {
    const { ref, name } = await world.bucketTarget();
    expect(await world.export(world.records(ref, series('a', 1, 3)))).toEqual([]);
    const lines = await world.written(name);
    expect(lines).toMatch(/^\{"events":\[.*\]\}\n$/);
    expect(lines.split('\n').filter(Boolean)).toHaveLength(1);
  });

  test('arrive although Firehose accepts a batch only in part', async () => {
    const { ref, name } = await world.bucketTarget();
    world.cloud.faults.add({ service: 'firehose', fault: 'partial', ratio: 0.5, resource: name, times: 2 });
    const large = series('a', 1, 9).map((event) => ({ ...event, filler: 'x'.repeat(250_000) }));
    expect(await world.export(world.records(ref, large))).toEqual([]);
    let numbers: number[] = [];
    // The repeated part may come in an object of its own.
    await until(async () => {
      numbers = [...(await world.written(name)).matchAll(/"n":(\d)/g)].map(([, n]) => Number(n));
      return numbers.length >= 9;
    });
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('arrive in as few calls as Firehose allows', async () => {
    const { ref, name } = await world.bucketTarget();
    const large = series('a', 1, 9).map((event) => ({ ...event, filler: 'x'.repeat(250_000) }));
    await world.export(world.records(ref, large));
    expect(world.callsOf('PutRecordBatch', name)).toBe(1);
  });
});

describe('a target that refuses events', () => {
  test.each([
    ['its role trusts nobody', 'sts', 'access-denied', 'AccessDenied', /trust policy/],
    ['its role may not write', 'kinesis', 'access-denied', 'AccessDeniedException', /kinesis:PutRecords/],
    ['its stream is gone', 'kinesis', 'not-found', 'ResourceNotFoundException', /does not exist/],
  ] as const)('is parked at once, with who must act, when %s', async (_, service, fault, code, why) => {
    const { ref, name, destination } = await world.streamTarget();
    world.cloud.faults.add({ service, fault, resource: service === 'sts' ? ref.tenantId : name });
    expect(await world.export(world.records(ref, series('a', 1, 3)))).toEqual([]);

    const [operation, resource] =
      service === 'sts' ? ['AssumeRole', destination.roleArn] : ['PutRecords', name];
    expect(world.callsOf(operation, resource)).toBe(1);
    expect(await world.target(ref)).toMatchObject({
      state: 'parked',
      parkedCount: 3,
      fault: { actor: 'tenant', code, reason: expect.stringMatching(why) },
    });
  });

  test('is parked when its external id changes, and continues once it recovers', async () => {
    const { ref, name, destination } = await world.streamTarget();
    const expectExternalId = (externalId: string): void => {
      const trustPolicy = trustPolicyOf({ principal: '000000000000', externalId });
      world.cloud.roles.put({ arn: destination.roleArn, trustPolicy });
    };
    expectExternalId('another');
    await world.export(world.records(ref, series('a', 1, 1)));
    expect((await world.target(ref)).fault).toMatchObject({ actor: 'tenant', code: 'AccessDenied' });

    expectExternalId(destination.externalId);
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual(series('a', 1, 1));
  });

  test('is not tried again for later events, which wait behind the first', async () => {
    const { ref, name } = await world.streamTarget();
    const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
    for (const n of [1, 3, 5]) await world.export(world.records(ref, series('a', n, 2)));

    expect(world.callsOf('PutRecords', name)).toBe(1);
    expect((await world.target(ref)).parkedCount).toBe(6);

    world.cloud.faults.remove(id);
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual(series('a', 1, 6));
    expect(await world.target(ref)).toMatchObject({ state: 'active', parkedCount: 0 });
  });

  test('affects no other target', async () => {
    const [bad, good] = [await world.streamTarget(), await world.streamTarget()];
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: bad.name });
    expect(
      await world.export(
        world.records(bad.ref, series('a', 1, 2)),
        world.records(good.ref, series('a', 1, 2)),
      ),
    ).toEqual([]);
    expect(await world.consumed(good.name)).toEqual(series('a', 1, 2));
    expect((await world.target(good.ref)).state).toBe('active');
  });
});

/** Has credentials by now. */
const warm = async (ref: TargetRef): Promise<unknown> =>
  await world.export(world.records(ref, series('first', 1, 1)));

describe('a target that does not answer', () => {
  // It never answers: that a batch ends at all shows that nobody waited for it.
  const silent = { service: 'kinesis', fault: 'timeout-after', operation: 'PutRecords' } as const;

  test('is given up after its time limit, and its events wait', async () => {
    const { ref, name } = await world.streamTarget();
    const { id } = world.cloud.faults.add({ ...silent, resource: name });
    const budget = { ...timeBudget, perTarget: 300 };
    expect(await exportBatch(world.deps, world.records(ref, series('a', 1, 2)), budget)).toEqual([]);

    expect(await world.target(ref)).toMatchObject({
      state: 'degraded',
      fault: { actor: 'nobody', code: 'Timeout' },
    });
    world.cloud.faults.remove(id);
    await world.drain(ref);
  });

  test('may receive events twice, but never out of order', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    await warm(ref);
    world.cloud.faults.add({ ...silent, resource: name, times: 1 });
    await world.exportInTime(world.records(ref, series('a', 1, 2)));
    await world.export(world.records(ref, series('a', 3, 2)));
    await world.drain(ref);
    const consumed = await world.consumed(name);
    expect(consumed.filter(({ key }) => key === 'a')).toEqual([...series('a', 1, 2), ...series('a', 1, 4)]);
  });

  test('delays no other target, however many of its kind do not answer', async () => {
    const dead = await Promise.all(Array.from({ length: 3 }, async () => await world.streamTarget()));
    const well = await world.streamTarget();
    const all = [...dead, well];
    for (const { ref } of all) await warm(ref);
    const calls = () => all.map(({ name }) => world.callsOf('PutRecords', name));
    const onceMore = calls().map((count) => count + 1);
    for (const { name } of dead) world.cloud.faults.add({ ...silent, resource: name });

    const batch = (n: number) => all.flatMap(({ ref }) => world.records(ref, series('a', n, 1)));
    // Long enough for the well one on a busy machine.
    const budget = { ...timeBudget, perTarget: 3_000, perBatch: 30_000, atOnce: 2 };
    expect(await exportBatch(world.deps, batch(2), budget)).toEqual([]);
    expect(calls()).toEqual(onceMore);

    // From now on they are known, and are not even asked.
    expect(await exportBatch(world.deps, batch(3), { ...patient, atOnce: 2 })).toEqual([]);
    expect(calls().slice(0, dead.length)).toEqual(onceMore.slice(0, dead.length));
    expect((await world.consumed(well.name)).map(({ n }) => n)).toContain(3);
  });
});

describe('a slow target', () => {
  test('is called once per batch; further events go through the queue until it is fast again', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    await warm(ref);
    await world.export(world.records(ref, series('a', 1, 1)));
    const slow = { service: 'kinesis', fault: 'slow', delayMs: 1_100, resource: name } as const;
    const { id } = world.cloud.faults.add(slow);
    expect(await exportBatch(world.deployed, world.records(ref, series('a', 2, 1)), patient)).toEqual([]);
    expect(await world.target(ref)).toMatchObject({
      state: 'degraded',
      fault: { actor: 'nobody', code: 'Slow' },
    });

    const asked = world.callsOf('PutRecords', name);
    await world.export(world.records(ref, series('a', 3, 1)));
    expect(world.callsOf('PutRecords', name)).toBe(asked);
    while (!isDrained(await world.target(ref))) await world.redeliver(10, world.deployed);
    expect(await world.target(ref)).toMatchObject({ state: 'degraded', fault: { code: 'Slow' } });

    world.cloud.faults.remove(id);
    await world.export(world.records(ref, series('a', 4, 1)));
    expect(world.callsOf('PutRecords', name)).toBe(asked + 1);
    await world.drain(ref);
    expect(await world.target(ref)).toMatchObject({ state: 'active', parkedCount: 0 });
    const consumed = await world.consumed(name);
    expect(consumed.filter(({ key }) => key === 'a')).toEqual(series('a', 1, 4));
  });
});

describe('a target that does not accept events yet, or no longer', () => {
  test('keeps its events waiting while it is paused', async () => {
    const { ref, name } = await world.streamTarget();
    await world.deps.targets.transition(await world.target(ref), 'pause', Date.now());
    await world.export(world.records(ref, series('a', 1, 2)));
    await world.redeliver();
    expect(await world.consumed(name)).toEqual([]);

    await world.deps.targets.transition(await world.target(ref), 'resume', Date.now());
    await world.export(world.records(ref, series('a', 3, 2)));
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual(series('a', 1, 4));
  });

  test('keeps its events waiting until it is validated, then gets them at its current destination', async () => {
    const { ref } = await world.streamTarget();
    const other = await world.streamTarget();
    await world.deps.targets.register(ref, other.destination, Date.now());
    await world.export(world.records(ref, series('a', 1, 1)));
    expect(await world.consumed(other.name)).toEqual([]);

    await world.validate(ref);
    await world.drain(ref);
    expect(await world.consumed(other.name)).toEqual(series('a', 1, 1));
  });

  test('gets no events when its kind is none', async () => {
    const { ref, name } = await world.streamTarget();
    await world.deps.targets.register(ref, { kind: 'none' }, Date.now());
    const stranger = { tenantId: randomUUID(), category: 'public' as const };
    expect(
      await world.export(world.records(ref, series('a', 1, 1)), world.records(stranger, series('a', 1, 1))),
    ).toEqual([]);
    expect(await world.consumed(name)).toEqual([]);
  });
});

describe('a fault of the service itself', () => {
  test('makes Lambda repeat the batch when events could not even be parked', async () => {
    const [bad, good] = [await world.streamTarget(), await world.streamTarget()];
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: bad.name });
    const outage = world.cloud.faults.add({
      service: 'sqs',
      fault: 'unavailable',
      operation: 'SendMessageBatch',
    });
    const [first, second] = [
      world.records(good.ref, series('a', 1, 1)),
      world.records(bad.ref, series('a', 1, 2)),
    ];
    const budget = { ...timeBudget, perTarget: 3_000, perParking: 200 };
    const checkpoint = second[0]?.dynamodb?.SequenceNumber;
    expect(await exportBatch(world.deps, [...first, ...second], budget)).toEqual([checkpoint]);

    world.cloud.faults.remove(outage.id);
    expect(await world.export(second)).toEqual([]);
    expect((await world.target(bad.ref)).parkedCount).toBe(2);
  });

  test('is reported when not even the targets can be read', async () => {
    const { ref } = await world.streamTarget();
    world.cloud.faults.add({ service: 'dynamodb', fault: 'unavailable', operation: 'BatchGetItem' });
    await expect(world.export(world.records(ref, series('a', 1, 1)))).rejects.toThrow();
  });

  test('moves a malformed item aside, and the other events arrive', async () => {
    const { ref, name } = await world.streamTarget();
    const [torn, whole, ...more] = world.records(ref, series('a', 1, 3));
    const image = torn?.dynamodb?.NewImage ?? {};
    image['event'] = { S: '{"metadata":' };
    const stray = {
      ...more[0],
      dynamodb: { ...more[0]?.dynamodb, NewImage: { pk: { S: 'x' } } },
    } as DynamoDBRecord;
    expect(await world.export([torn, stray, whole].filter((one) => one !== undefined))).toEqual([]);

    expect(await world.consumed(name)).toEqual(series('a', 2, 1));
    expect(await world.deadLetters()).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('event') as unknown, content: image }),
      expect.objectContaining({ content: { pk: { S: 'x' } } }),
    ]);
  });

  test('makes Lambda repeat the batch when a malformed item cannot be moved aside', async () => {
    const [record] = world.records({ tenantId: randomUUID(), category: 'public' }, series('a', 1, 1));
    const stray = {
      ...record,
      dynamodb: { SequenceNumber: '7', NewImage: { pk: { S: 'x' } } },
    } as DynamoDBRecord;
    world.cloud.faults.add({ service: 'sqs', fault: 'unavailable', operation: 'SendMessage' });
    expect(await world.export([stray])).toEqual(['7']);
  });
});

describe('the stream of the events table', () => {
  test('skips records that are no new event: expired items and reservations of an id', async () => {
    const { ref, name } = await world.streamTarget();
    const [swept, changed, placeholder] = world.records(ref, series('a', 1, 3));
    const image = {
      pk: { S: `${ref.tenantId}#a` },
      sk: { S: randomUUID() },
      digest: { S: 'x' },
      ttl: { N: '1' },
    };
    expect(
      await world.export([
        { ...swept, eventName: 'REMOVE' },
        { ...changed, eventName: 'MODIFY' },
        { ...placeholder, dynamodb: { ...placeholder?.dynamodb, NewImage: image } },
      ]),
    ).toEqual([]);
    expect(await world.consumed(name)).toEqual([]);
    expect(await world.deadLetters()).toEqual([]);
  });

  test('may contain several events of one aggregate in one item', async () => {
    const { ref, name } = await world.streamTarget();
    const [first, second] = world.records(ref, series('a', 1, 2));
    const { event, type, ...rest } = first?.dynamodb?.NewImage ?? {};
    const M = (image = {}) => ({ M: image });
    const events = { L: [M({ event, type }), M(second?.dynamodb?.NewImage)] };
    const together = {
      ...first,
      dynamodb: { ...first?.dynamodb, NewImage: { ...rest, events } },
    } as DynamoDBRecord;
    expect(await world.export([together])).toEqual([]);
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
  });
});

describe("a target's record", () => {
  const counts = async (ref: TargetRef) => {
    const { acceptedCount, deliveredCount, parkedCount } = await world.target(ref);
    return { accepted: acceptedCount, delivered: deliveredCount, parked: parkedCount };
  };
  /** Content that can go neither to a target nor to the dead letters has the batch come again. */
  const unplacedRecord = (): DynamoDBRecord => {
    const [record] = world.records({ tenantId: randomUUID(), category: 'public' }, series('a', 1, 1));
    return { ...record, dynamodb: { ...record?.dynamodb, NewImage: { pk: { S: 'x' } } } };
  };
  /** By our own Lambdas; the test's own are not among them. */
  const writes = () => world.cloud.calls.list().filter(({ operation }) => operation === 'UpdateItem').length;

  test('counts accepted and delivered events, with one write per batch', async () => {
    const { ref } = await world.streamTarget({ types: ['TestEvent'] });
    const before = writes();
    await world.export(world.records(ref, [...series('a', 1, 3), { key: 'a', n: 4, type: 'OtherEvent' }]));
    expect(writes() - before).toBe(1);
    expect(await counts(ref)).toEqual({ accepted: 3, delivered: 3, parked: 0 });
  });

  test('counts waiting events, and since when, with the write that parks them', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
    const records = world.records(ref, series('a', 1, 3));
    await world.export(records);
    const before = writes();
    await world.export(world.records(ref, series('a', 4, 2)));
    expect(writes() - before).toBe(1);

    expect(await counts(ref)).toEqual({ accepted: 5, delivered: 0, parked: 5 });
    const writtenAt = Number(records[0]?.dynamodb?.ApproximateCreationDateTime) * 1000;
    expect((await world.target(ref)).waitingSince).toEqual({ '0/1': writtenAt });
    world.cloud.faults.clear();
    await world.drain(ref);
    expect(await counts(ref)).toEqual({ accepted: 5, delivered: 5, parked: 0 });
    expect((await world.target(ref)).waitingSince).toEqual({});
  });

  test('counts each event once when part of a batch is repeated', async () => {
    const [early, late, bad] = [
      await world.streamTarget(),
      await world.streamTarget(),
      await world.streamTarget(),
    ];
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: bad.name });
    world.cloud.faults.add({ service: 'sqs', fault: 'unavailable', operation: 'SendMessageBatch' });
    const batch = [
      ...world.records(early.ref, series('a', 1, 2)),
      ...world.records(late.ref, series('a', 1, 1)),
      ...world.records(bad.ref, series('a', 1, 1)),
      ...world.records(late.ref, series('a', 2, 3)),
    ];
    const budget = { ...timeBudget, perTarget: 3_000, perParking: 200 };
    expect(await exportBatch(world.deps, batch, budget)).toEqual([batch[3]?.dynamodb?.SequenceNumber]);
    expect(await counts(late.ref)).toEqual({ accepted: 1, delivered: 1, parked: 0 });
    world.cloud.faults.clear();
    expect(await world.export(batch.slice(3))).toEqual([]);
    await world.deliverParked(bad.ref);
    expect(await counts(early.ref)).toEqual({ accepted: 2, delivered: 2, parked: 0 });
    expect(await counts(late.ref)).toEqual({ accepted: 4, delivered: 4, parked: 0 });
    expect(await counts(bad.ref)).toEqual({ accepted: 1, delivered: 1, parked: 0 });
  });

  test('has no event twice that a batch delivered or parked before it came again', async () => {
    const [well, waiting] = [await world.streamTarget(), await world.streamTarget({ lanes: 1 })];
    const unplaced = unplacedRecord();
    const batch = [
      unplaced,
      ...world.records(well.ref, series('a', 1, 3)),
      ...world.records(waiting.ref, series('a', 1, 2)),
    ];
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: waiting.name });
    world.cloud.faults.add({ service: 'sqs', fault: 'unavailable', operation: 'SendMessage' });
    expect(await world.export(batch)).toEqual([unplaced.dynamodb?.SequenceNumber]);
    world.cloud.faults.clear();
    await world.deliverParked(waiting.ref);
    expect(await world.export([...batch, ...world.records(waiting.ref, series('a', 3, 1))])).toEqual([]);
    await world.drain(waiting.ref);
    for (const [{ ref, name }, count] of [
      [well, 3],
      [waiting, 3],
    ] as const) {
      expect(await world.consumed(name)).toEqual(series('a', 1, count));
      expect(await counts(ref)).toEqual({ accepted: count, delivered: count, parked: 0 });
    }
  });

  test('has an event again that a batch delivered to another destination before it came again', async () => {
    const { ref, destination } = await world.streamTarget();
    const other = await world.streamTarget();
    const unplaced = unplacedRecord();
    const batch = [unplaced, ...world.records(ref, series('a', 1, 1))];
    world.cloud.faults.add({ service: 'sqs', fault: 'unavailable', operation: 'SendMessage' });
    await world.export(batch);
    world.cloud.faults.clear();
    const { streamArn } = other.destination;
    await world.deps.targets.register(ref, { ...destination, streamArn }, Date.now());
    await world.validate(ref);
    expect(await world.export(batch)).toEqual([]);
    expect(await world.consumed(other.name)).toEqual(series('a', 1, 1));
  });

  test('counts parked events once, too', async () => {
    const parked = await world.streamTarget({ lanes: 1 });
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: parked.name });
    await world.export(world.records(parked.ref, series('a', 1, 1)));
    expect((await world.target(parked.ref)).state).toBe('parked');
    const [unplaced, ...others] = [unplacedRecord(), ...world.records(parked.ref, series('a', 2, 3))];
    const batch = [...others.slice(0, 1), unplaced, ...others.slice(1)];
    world.cloud.faults.add({ service: 'sqs', fault: 'unavailable', operation: 'SendMessage' });
    expect(await world.export(batch)).toEqual([unplaced.dynamodb?.SequenceNumber]);
    expect((await counts(parked.ref)).accepted).toBe(2);
  });

  test('counts events once when the answer to the write is lost', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
    await world.export(world.records(ref, series('a', 1, 1)));
    const lost = { service: 'dynamodb', fault: 'timeout-after', operation: 'UpdateItem', times: 1 } as const;
    world.cloud.faults.add(lost);
    await world.export(world.records(ref, series('a', 2, 2)));
    expect(await counts(ref)).toEqual({ accepted: 3, delivered: 0, parked: 3 });
    world.cloud.faults.add(lost);
    await world.deps.watermarks.counted(ref, { accepted: 1, delivered: 1, parked: 0 });
    expect(await counts(ref)).toEqual({ accepted: 4, delivered: 1, parked: 3 });
  });

  test('may miss a count without delaying a delivery or repeating a batch', async () => {
    const { ref, name } = await world.streamTarget();
    world.cloud.faults.add({ service: 'dynamodb', fault: 'unavailable', operation: 'UpdateItem' });
    expect(await world.export(world.records(ref, series('a', 1, 2)))).toEqual([]);
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
    world.cloud.faults.clear();
    expect(await counts(ref)).toEqual({ accepted: 0, delivered: 0, parked: 0 });
  });

  test('may miss a count when the table never answers', async () => {
    const { ref, name } = await world.streamTarget();
    world.cloud.faults.add({ service: 'dynamodb', fault: 'timeout-after', operation: 'UpdateItem' });
    expect(await world.export(world.records(ref, series('a', 1, 2)))).toEqual([]);
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
  });
});
