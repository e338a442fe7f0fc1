import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { timeBudget } from '../../../../core/export/delivery/export-batch.ts';
import { exportBatch } from '../../../../core/export/delivery/export-batch.ts';
import { redeliverBatch } from '../../../../core/export/delivery/redeliver-batch.ts';
import type { RedeliveryDeps } from '../../../../core/export/delivery/redeliver-lane.ts';
import { ExportWorld, series, type TestEvent } from '../../../support/export-world.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterAll(async () => await world.close());

const shareOfCrashes = 0.08;
let isRough = false;

function maybeCrash(): void {
  if (isRough && Math.random() < shareOfCrashes) throw new Error('crash');
}

/** A part whose caller now and then dies before, or after, it did its work. */
function fatal<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]): Promise<unknown> => {
        maybeCrash();
        const result: unknown = await Reflect.apply(method, target, given);
        maybeCrash();
        return result;
      };
    },
  });
}

const fatalDeps = (deps: RedeliveryDeps): RedeliveryDeps => ({
  ...deps,
  targets: fatal(deps.targets),
  watermarks: fatal(deps.watermarks),
  parking: fatal(deps.parking),
  writers: { ...deps.writers, stream: fatal(deps.writers.stream) },
});

const budget = { ...timeBudget, perTarget: 150 };
const checkpointOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';

/** One shard of the events table: batch after batch, and each again from where it failed. */
async function exportShard(deps: RedeliveryDeps, records: DynamoDBRecord[]): Promise<void> {
  let waiting = records;
  while (waiting.length > 0) {
    const batch = waiting.slice(0, 1 + Math.floor(Math.random() * 8));
    const failed = await exportBatch(deps, batch, budget).catch(() => batch.map(checkpointOf));
    const begin = batch.findIndex((record) => failed.includes(checkpointOf(record)));
    waiting = waiting.slice(begin < 0 ? batch.length : begin);
  }
}

/** Lambda's side of the parking queue; it, too, dies now and then, and its messages come again. */
async function redeliverUntil(deps: RedeliveryDeps, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const messages = await world.receive();
    const ids = messages.map(({ messageId }) => messageId);
    const left = await redeliverBatch(deps, messages).catch(() => ids);
    const done = messages.filter(({ messageId }) => !left.includes(messageId));
    const forgotten = isRough && Math.random() < shareOfCrashes ? done : [];
    await world.remove(done.filter((message) => !forgotten.includes(message)));
    await world.release([...forgotten, ...messages.filter(({ messageId }) => left.includes(messageId))]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const troubles = [
  { fault: 'partial', ratio: 0.5, times: 3 },
  { fault: 'throttle', times: 8 },
  { fault: 'access-denied', times: 2 },
  { fault: 'timeout-after', operation: 'PutRecords', times: 1 },
] as const;

async function makeTrouble(stream: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const trouble = troubles[Math.floor(Math.random() * troubles.length)] ?? troubles[0];
    world.cloud.faults.add({ service: 'kinesis', resource: stream, ...trouble });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
  }
}

const firstOccurrences = (events: { key: string; n: number }[], key: string): number[] => [
  ...new Set(events.filter((event) => event.key === key).map(({ n }) => n)),
];

test('no event is lost or reordered by concurrent exporters, redelivery, a failing stream and crashes at any point', async () => {
  const { ref, name } = await world.streamTarget({ lanes: 2 });
  const each = 40;
  const shards = [
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
  ];
  const eventsOf = (keys: string[]): TestEvent[] =>
    Array.from({ length: each }, (_, index) => keys.map((key) => ({ key, n: index + 1 }))).flat();
  const deps = fatalDeps(world.deps);
  let isExported = false;
  let isDrained = false;

  isRough = true;
  const redelivery = redeliverUntil(deps, () => isDrained);
  const trouble = makeTrouble(name, () => isExported);
  await Promise.all(shards.map(async (keys) => await exportShard(deps, world.records(ref, eventsOf(keys)))));
  isExported = true;
  await trouble;
  isRough = false;
  world.cloud.faults.clear();

  await world.export(world.records(ref, series('last', 1, 1)));
  for (;;) {
    const consumed = await world.consumed(name);
    const done = shards.flat().every((key) => firstOccurrences(consumed, key).length === each);
    if (done && consumed.some(({ key }) => key === 'last')) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  isDrained = true;
  await redelivery;

  const consumed = await world.consumed(name);
  for (const key of shards.flat()) {
    expect(firstOccurrences(consumed, key)).toEqual(series(key, 1, each).map(({ n }) => n));
  }
});
