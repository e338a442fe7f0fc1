import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { exportBatch } from '../../../../core/export/delivery/export-batch.ts';
import { redeliverBatch } from '../../../../core/export/delivery/redeliver-batch.ts';
import { UnansweredTargets } from '../../../../core/export/delivery/unanswered-targets.ts';
import type { Writer } from '../../../../core/export/delivery/writer.ts';
import { ExportWorld, patient, series } from '../../../support/export-world.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(async () => {
  world.cloud.faults.clear();
  await world.remove(await world.receive());
});
afterAll(async () => await world.close());

const lost = { service: 'kinesis', fault: 'timeout-after', operation: 'PutRecords', times: 1 } as const;

/** A stream that took events, and whose answer was lost. */
async function unanswered(count = 7) {
  const made = await world.streamTarget({ lanes: 1 });
  await world.export(world.records(made.ref, series('first', 1, 1)));
  world.cloud.faults.add({ ...lost, resource: made.name });
  await world.exportInTime(world.records(made.ref, series('a', 1, count)));
  return made;
}

/** How many events each record of the stream has, without the first ones. */
async function sizesOf(name: string, after: number): Promise<number[]> {
  const records = await world.read(name);
  return records.slice(after).map(({ data }) => (JSON.parse(data) as { events: unknown[] }).events.length);
}

/** The first and the seven. */
const before = 2;

describe('a target whose answer was lost', () => {
  test('gets one event again, and then twice as many with each call, so that few come twice if another answer is lost', async () => {
    const { ref, name } = await unanswered();
    await world.drain(ref);
    expect(await sizesOf(name, before)).toEqual([1, 2, 4]);
    await world.export(world.records(ref, series('a', 8, 7)));
    // All was taken: the next batch is one record again.
    expect(await sizesOf(name, before + 3)).toEqual([7]);
  });

  test('gets new events in the same way from an exporter that did not see the redelivery', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const deps = { ...world.deps, unanswered: new UnansweredTargets() };
    deps.unanswered.note(ref, [], {
      undelivered: [],
      fault: { actor: 'nobody', code: 'Timeout', reason: '', unanswered: true },
    });
    await exportBatch(deps, world.records(ref, series('a', 1, 7)), patient);
    expect(await sizesOf(name, 0)).toEqual([1, 2, 4]);
  });

  test('gets no event again that it took before another answer was lost, and what waits in calls of a quarter', async () => {
    const { ref, name } = await unanswered(31);
    const stream: Writer = {
      deliver: async (target, records, ...rest) => {
        await world.deps.writers.stream.deliver(target, records.slice(0, 4), ...rest);
        const fault = { actor: 'nobody', code: 'Timeout', reason: '', unanswered: true } as const;
        return { undelivered: records.slice(4), fault };
      },
    };
    const messages = await world.receive();
    const held: number[] = [];
    const parking = {
      park: world.deps.parking.park.bind(world.deps.parking),
      hold: async (_: unknown, wait: number) => await Promise.resolve(void held.push(wait)),
    };
    const backoff = { shortestSeconds: 1, longestSeconds: 900 };
    const deps = { ...world.deps, parking, backoff, writers: { ...world.deps.writers, stream } };
    const later = messages.map((one) => ({
      ...one,
      attributes: { ...one.attributes, ApproximateReceiveCount: '9' },
    }));
    expect(await redeliverBatch(deps, later)).toHaveLength(1);
    // It moves, so it does not wait longer each time.
    expect(held).toEqual([1]);
    await world.release(messages);
    await world.drain(ref);
    expect(await sizesOf(name, before)).toEqual([1, 2, 4, 8, 4, 8, 4]);
    const consumed = await world.consumed(name);
    expect(consumed.slice(-31)).toEqual(series('a', 1, 31));
  });

  test('gets all events in one delivery if every second answer is lost, as a short call is soon repeated', async () => {
    const { ref, name } = await unanswered();
    world.cloud.faults.add({
      ...{ service: 'kinesis', fault: 'timeout-after', operation: 'PutRecords', ratio: 1 / 2 },
      resource: name,
    });
    expect(await world.redeliver()).toEqual({ done: 1, left: 0 });
    const numbers = (await world.consumed(name)).slice(1).map(({ n }) => n);
    expect([...new Set(numbers)]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await world.target(ref)).toMatchObject({ state: 'active' });
  });

  test('is called less often each time while it answers no call of a single event, however much waits', async () => {
    const { name } = await unanswered(40);
    world.cloud.faults.add({
      ...({ service: 'kinesis', fault: 'timeout-after', operation: 'PutRecords' } as const),
      resource: name,
    });
    const messages = (await world.receive()).map((one) => ({
      ...one,
      attributes: { ...one.attributes, ApproximateReceiveCount: '9' },
    }));
    const held: number[] = [];
    const parking = {
      park: world.deps.parking.park.bind(world.deps.parking),
      hold: async (_: unknown, wait: number) => await Promise.resolve(void held.push(wait)),
    };
    await redeliverBatch(
      { ...world.deps, parking, backoff: { shortestSeconds: 1, longestSeconds: 900 } },
      messages,
    );
    // With the jitter at least half of 256 s.
    expect(held[0]).toBeGreaterThan(100);
  });

  test('has what waits parked in one message, however little a call carries', async () => {
    const { ref, name } = await unanswered();
    const parked = () => world.callsOf('SendMessageBatch', 'parking.fifo');
    const count = parked();
    await world.export(world.records(ref, series('a', 8, 7)));
    expect(parked() - count).toBe(1);
    await world.drain(ref);
    expect((await world.consumed(name)).slice(-14)).toEqual(series('a', 1, 14));
  });
});
