import { setTimeout } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { eachKind } from '../../../core/export/kinds/each-kind.ts';
import { CatchUpAttempts } from '../../../core/export/delivery/catch-up-attempts.ts';
import { UnansweredTargets } from '../../../core/export/delivery/unanswered-targets.ts';
import { HandledEvents } from '../../../core/export/delivery/handled-events.ts';
import type { DeliveryDeps } from '../../../core/export/delivery/delivery-deps.ts';
import { exportBatch } from '../../../core/export/delivery/export-batch.ts';
import { MessageProgress } from '../../../core/export/delivery/message-progress.ts';
import { redeliverBatch } from '../../../core/export/delivery/redeliver-batch.ts';
import { makeWorkload, type Workload } from '../export/scenario.ts';
import { Queue, Stream, TargetItem } from './slow-aws.ts';

export type Recovery = {
  /** Events a second. */
  rate: number;
  /** From the end of the stall until the target is active. Undefined if that took too long. */
  seconds: number | undefined;
};

export type RecoveryOptions = { rate: number; stallMs: number; longestMs: number };

/** Lambda polls each shard of the table's stream four times per second. */
const pollMs = 250;
const batchSize = 1_000;
/** A partition of the events table accepts more events per second, but shards follow the load. */
const eventsOfAShard = 500;
const pollers = 5;

const unused = async (): Promise<never> =>
  await Promise.reject(new Error('The benchmark makes no other calls'));

/** Stalls a stream for a while, and measures how its target recovers while new events arrive. */
export async function measureRecovery({ rate, stallMs, longestMs }: RecoveryOptions): Promise<Recovery> {
  const seconds = (stallMs + longestMs) / 1_000 + 4;
  const shards = Math.ceil(rate / eventsOfAShard);
  const polls = Math.ceil((seconds * 1_000) / pollMs);
  const batch = Math.round((rate * pollMs) / 1_000);
  const workload = makeWorkload({ tenants: 1, batch }, polls);
  const [stream, queue] = [new Stream(), new Queue()];
  const item = new TargetItem(targetOf(workload));
  const deps = (): DeliveryDeps => depsOf({ stream, queue, item });
  const isActive = (): boolean => item.target.state === 'active';
  let isOver = false;
  const exporters = Array.from({ length: shards }, async (_, index) => {
    const own = deps();
    const batches = workload.batches.map((all) => all.filter((record) => shardOf(record, shards) === index));
    await setTimeout((index / shards) * pollMs);
    const begun = Date.now();
    const waiting: DynamoDBRecord[] = [];
    let next = 0;
    while (!isOver) {
      const due = Math.floor((Date.now() - begun) / pollMs) + 1;
      for (; next < Math.min(due, batches.length); next += 1) waiting.push(...(batches[next] ?? []));
      const batch = waiting.splice(0, batchSize);
      if (batch.length > 0) await exportBatch(own, batch);
      if (waiting.length === 0) await setTimeout(Math.max(1, begun + next * pollMs - Date.now()));
    }
  });
  const redeliveries = Array.from({ length: pollers }, async () => {
    const own = {
      ...deps(),
      backoff: { shortestSeconds: 1, longestSeconds: 3_600 },
      progress: new MessageProgress(),
    };
    while (!isOver) {
      const records = await queue.receive(10, 30_000);
      if (records.length === 0) continue;
      const left = new Set(await redeliverBatch(own, records));
      await queue.remove(records.filter(({ messageId }) => !left.has(messageId)));
    }
  });
  await setTimeout(2_000);
  stream.isStalled = true;
  await setTimeout(stallMs);
  if (isActive()) throw new Error('The stall was too short to be noticed');
  stream.isStalled = false;
  const ended = Date.now();
  while (!isActive() && Date.now() - ended < longestMs) await setTimeout(20);
  const [wasActive, took] = [isActive(), (Date.now() - ended) / 1_000];
  isOver = true;
  await Promise.all([...exporters, ...redeliveries]);
  return { rate, seconds: wasActive ? took : undefined };
}

/** All events of an aggregate are in one shard. Its key ends with its number. */
const shardOf = ({ dynamodb }: DynamoDBRecord, shards: number): number =>
  Number(dynamodb?.NewImage?.['pk']?.S?.slice(-2)) % shards;

function targetOf({ events }: Workload): object {
  const [{ tenantId = '' } = {}] = events.values();
  return {
    ...{ tenantId, category: 'public', state: 'active', stateSince: 0, parkedCount: 0 },
    ...{ parkedThrough: {}, drainedThrough: {}, waitingSince: {} },
    destination: {
      ...{ kind: 'stream', streamArn: 'arn:aws:kinesis:eu-central-1:000000000000:stream/a', lanes: 2 },
      ...{ roleArn: 'arn:aws:iam::000000000000:role/a', externalId: 'a'.repeat(16) },
    },
  };
}

type World = { stream: Stream; queue: Queue; item: TargetItem };

const depsOf = ({ stream, queue, item }: World): DeliveryDeps => ({
  targets: item,
  watermarks: {
    parked: async (...given) => await item.parked(...given),
    drained: async (_, records) => await item.lane(records),
    counted: async () => await Promise.resolve(),
  },
  writers: { ...eachKind(() => ({ deliver: unused })), stream },
  parking: queue,
  ...{ deadLetters: { add: unused }, checks: { ask: unused, hold: unused }, requestTest: unused },
  attempts: { note: async () => await Promise.resolve() },
  catchUps: new CatchUpAttempts(),
  handled: new HandledEvents(),
  unanswered: new UnansweredTargets(),
});
