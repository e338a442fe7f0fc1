import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readParkedMessage } from '../../../../core/export/delivery/parking-queue.ts';
import { pack } from '../../../../core/export/delivery/packing.ts';
import { ExportWorld } from '../../../support/export-world.ts';
import { longestWaitMs } from '../../../support/waiting.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

/** So many records of one lane. */
const recordsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const events = [{ orderingKey: 'a', event: JSON.stringify({ n }) }];
    return pack(events, { lanes: 1, lineEnd: '\n' }).records;
  }).flat();

const soon = () => Date.now() + longestWaitMs;

/** Everything that is in the queue, taken out in its order. */
async function takeAll() {
  const taken = [];
  for (;;) {
    const messages = await world.receive();
    if (messages.length === 0) return taken;
    taken.push(...messages.map(readParkedMessage));
    await world.remove(messages);
  }
}

describe('a parking queue', () => {
  test('keeps records in order through its own failures', async () => {
    const ref = { tenantId: randomUUID(), category: 'log' as const };
    world.cloud.faults.add({
      service: 'sqs',
      fault: 'partial',
      operation: 'SendMessageBatch',
      ratio: 0.5,
      times: 4,
    });
    const records = recordsOf(12);
    const { undelivered, positions } = await world.deps.parking.park(ref, records, soon());
    expect(undelivered).toEqual([]);

    const taken = await takeAll();
    expect(taken.map(({ events }) => `{"events":[${events}]}\n`)).toEqual(
      records.map(({ data }) => data.toString()),
    );
    expect(taken.map(({ position }) => position)).toEqual(taken.map(({ position }) => position).toSorted());
    expect(positions.get('0/1')).toBe(taken.at(-1)?.position);
    expect(taken[0]).toMatchObject({ ref, lane: '0/1', count: records[0]?.size, attempt: 1 });
  });

  test('accepts every size and content that a target accepts', async () => {
    const ref = { tenantId: randomUUID(), category: 'log' as const };
    const event = JSON.stringify({ text: `\ufffe\uffff\u0000é${'中'.repeat(340_000)}` });
    const { records } = pack([{ orderingKey: 'a', event }], { lanes: 1, lineEnd: '' });
    await world.deps.parking.park(ref, records, soon());
    const [message] = await takeAll();
    expect(JSON.parse(message?.events ?? '')).toEqual(JSON.parse(event));
  });

  test('stores a record once when a batch is repeated', async () => {
    const ref = { tenantId: randomUUID(), category: 'log' as const };
    const first = await world.deps.parking.park(ref, recordsOf(3), soon());
    const second = await world.deps.parking.park(ref, recordsOf(3), soon());
    expect(second.positions).toEqual(first.positions);
    expect(await takeAll()).toHaveLength(3);
  });

  test('returns the records that it could not store in time', async () => {
    const ref = { tenantId: randomUUID(), category: 'log' as const };
    world.cloud.faults.add({ service: 'sqs', fault: 'unavailable' });
    const records = recordsOf(3);
    const { undelivered, positions } = await world.deps.parking.park(ref, records, Date.now() + 100);
    expect(undelivered).toEqual(records);
    expect(positions.size).toBe(0);
  });
});
