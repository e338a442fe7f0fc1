import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { isWaiting } from '../../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { seconds } from '../../../../core/kernel/time.ts';
import { exportBatch } from '../../../../core/export/delivery/export-batch.ts';
import { redeliverBatch } from '../../../../core/export/delivery/redeliver-batch.ts';
import { ExportWorld, patient, series } from '../../../support/export-world.ts';
import { until } from '../../../support/waiting.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(async () => {
  world.cloud.faults.clear();
  await world.remove(await world.receive());
});
afterAll(async () => await world.close());

/** A busy machine takes its time. */
const unhurried = { ...patient, perCatchUp: 60_000 };

const parkings = (): number => world.callsOf('SendMessageBatch', 'parking.fifo');

/** A target that takes events again, and for which those of one batch wait still. */
async function recovering() {
  const made = await world.streamTarget({ lanes: 1 });
  const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: made.name });
  await world.export(world.records(made.ref, series('a', 1, 2)));
  world.cloud.faults.remove(id);
  await world.deps.targets.transition(await world.target(made.ref), 'recover', Date.now());
  return made;
}

describe('new events of a target whose redelivery is nearly done', () => {
  test('wait for the redelivery, and are delivered without being queued', async () => {
    const { ref, name } = await recovering();
    const before = parkings();
    const exporting = exportBatch(world.deps, world.records(ref, series('a', 3, 2)), unhurried);
    await world.redeliver();
    expect(await exporting).toEqual([]);
    expect(parkings()).toBe(before);
    expect(await world.target(ref)).toMatchObject({ state: 'active', parkedCount: 0 });
    expect(await world.consumed(name)).toEqual(series('a', 1, 4));
  });

  test('are queued when the redelivery takes too long, and the next ones at once', async () => {
    const { ref, name } = await recovering();
    const loads = () => world.callsOf('BatchGetItem', 'tenants');
    await world.export(world.records(ref, series('a', 3, 1)));
    expect(isWaiting(await world.target(ref), '0/1')).toBe(true);
    const before = loads();
    await world.export(world.records(ref, series('a', 4, 1)));
    expect(loads() - before).toBe(1);
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual(series('a', 1, 4));
  });

  test('do not delay the events of other targets', async () => {
    const [late, other] = [await recovering(), await world.streamTarget({ lanes: 1 })];
    const records = [
      ...world.records(late.ref, series('a', 3, 1)),
      ...world.records(other.ref, series('b', 1, 1)),
    ];
    const exporting = exportBatch(world.deps, records, unhurried);
    await until(async () => (await world.consumed(other.name)).length > 0);
    expect(await world.consumed(late.name)).toEqual([]);
    await world.redeliver();
    await exporting;
    await world.drain(late.ref);
    expect(await world.consumed(late.name)).toEqual(series('a', 1, 3));
  });

  test('do not wait while the target still refuses', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'throttle', resource: name });
    await world.exportInTime(world.records(ref, series('a', 1, 1)));
    const before = world.callsOf('BatchGetItem', 'tenants');
    await world.export(world.records(ref, series('a', 2, 1)));
    expect(world.callsOf('BatchGetItem', 'tenants') - before).toBe(1);
    world.cloud.faults.remove(id);
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
  });
});

/** The messages of the queue as they are so many seconds later. */
const later = (messages: SQSRecord[], passed: number): SQSRecord[] =>
  messages.map(({ attributes, ...message }) => ({
    ...message,
    attributes: { ...attributes, SentTimestamp: String(Number(attributes.SentTimestamp) - passed * seconds) },
  }));

const slowly = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const slow = { service: 'kinesis', fault: 'slow', delayMs: 1_100, resource: name } as const;
  const { id } = world.cloud.faults.add(slow);
  const result = await work();
  world.cloud.faults.remove(id);
  return result;
};

const exportSlowly = async (ref: TargetRef, name: string): Promise<unknown> =>
  await slowly(
    name,
    async () => await exportBatch(world.deployed, world.records(ref, series('a', 1, 1)), patient),
  );

async function slowAtFirst(): Promise<{ ref: TargetRef; name: string }> {
  const { ref, name } = await world.streamTarget({ lanes: 1 });
  await exportSlowly(ref, name);
  expect(await world.target(ref)).toMatchObject({ state: 'degraded', fault: { code: 'Slow' } });
  return { ref, name };
}

describe('a target that was slow and gets no new events', () => {
  test('is active again half a minute after its last event was delivered', async () => {
    const { ref } = await slowAtFirst();
    const checks = await world.receive();
    expect(checks).toHaveLength(1);
    expect(await redeliverBatch(world.deps, later(checks, 20))).toHaveLength(1);
    expect((await world.target(ref)).state).toBe('degraded');
    expect(await redeliverBatch(world.deps, later(checks, 31))).toEqual([]);
    const { state, fault } = await world.target(ref);
    expect({ state, fault }).toEqual({ state: 'active', fault: undefined });
    await world.remove(checks);
  });

  test('is active again after its last event was delivered slowly from the queue', async () => {
    const { ref, name } = await slowAtFirst();
    const first = await world.receive();
    await world.export(world.records(ref, series('a', 2, 1)));
    await slowly(name, async () => await world.redeliver(10, world.deployed));
    expect(await world.target(ref)).toMatchObject({ state: 'degraded', parkedCount: 0 });

    // What was asked for before that event says nothing about it.
    expect(await redeliverBatch(world.deps, later(first, 31))).toEqual([]);
    expect((await world.target(ref)).state).toBe('degraded');
    await world.remove(first);
    const second = await world.receive();
    expect(await redeliverBatch(world.deps, later(second, 31))).toEqual([]);
    expect((await world.target(ref)).state).toBe('active');
    await world.remove(second);
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
  });

  test('is checked although SQS fails at first', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    world.cloud.faults.add({ service: 'sqs', fault: 'unavailable', operation: 'SendMessage', times: 2 });
    await exportSlowly(ref, name);
    const checks = await world.receive();
    expect(await redeliverBatch(world.deps, later(checks, 31))).toEqual([]);
    expect((await world.target(ref)).state).toBe('active');
    await world.remove(checks);
  });
});

test('a target becomes active when a watermark is written after its records were delivered from the queue', async () => {
  const { ref, name } = await world.streamTarget({ lanes: 1 });
  const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'throttle', resource: name });
  const before = await world.target(ref);
  await world.exportInTime(world.records(ref, series('a', 1, 1)));
  world.cloud.faults.remove(id);
  const [message] = await world.receive();
  if (!message) throw new Error('Nothing was parked');
  // As if the redelivery had read the target before the exporter wrote the watermark.
  const stale = { ...(await world.target(ref)), parkedThrough: before.parkedThrough };
  await world.deps.watermarks.drained(await world.target(ref), {
    watermark: ['0/1', message.attributes.SequenceNumber?.padStart(39, '0') ?? ''],
    counts: { accepted: 0, delivered: 1, parked: -1 },
    parkedAt: Date.now(),
  });
  expect(await world.deps.targets.drain(stale, Date.now())).toBe(true);
  expect((await world.target(ref)).state).toBe('active');
  await world.remove([message]);
});
