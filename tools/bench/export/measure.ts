import type { DynamoDBRecord } from 'aws-lambda';
import { pack } from '../../../core/export/delivery/packing.ts';
import { groupByTarget, sortBySequence } from '../../../core/events/event-stream.ts';
import type { Workload } from './scenario.ts';
import { countingSink, nullSink, slowSink, troubledSink } from './sink.ts';
import type { Strategy } from './strategies/strategy.ts';

export type Costs = {
  requestsPer1000: number;
  /** Billed units, divided by the fewest possible. */
  over1: number;
  over5: number;
  eventsPerUnit1: number;
  eventsPerUnit5: number;
};

/**
 * The fewest units that any packing can reach: all events of a tenant in a batch as one record, without any separator, rounded
 * up. Events of another batch come later, and other tenants have other targets.
 */
function minimum({ batches, events }: Workload, unit: number): number {
  let units = 0;
  for (const batch of batches) {
    const bytes = new Map<string, number>();
    for (const { dynamodb } of batch) {
      const event = events.get(dynamodb?.NewImage?.['sk']?.S ?? '');
      if (event) bytes.set(event.tenantId, (bytes.get(event.tenantId) ?? 0) + event.bytes);
    }
    for (const sum of bytes.values()) units += Math.ceil(sum / unit);
  }
  return units;
}

export async function measureCosts(strategy: Strategy, workload: Workload): Promise<Costs> {
  const { sink, tally } = countingSink();
  for (const batch of workload.batches) await strategy.deliver(batch, sink);
  const count = workload.events.size;
  return {
    requestsPer1000: (tally.requests / count) * 1000,
    over1: tally.units1 / minimum(workload, 1024),
    over5: tally.units5 / minimum(workload, 5 * 1024),
    eventsPerUnit1: count / tally.units1,
    eventsPerUnit5: count / tally.units5,
  };
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function repeat(
  strategy: Strategy,
  batches: DynamoDBRecord[][],
  milliseconds: number,
): Promise<number> {
  const end = performance.now() + milliseconds;
  let events = 0;
  while (performance.now() < end)
    for (const batch of batches) {
      await strategy.deliver(batch, nullSink);
      events += batch.length;
    }
  return events;
}

const rounds = 5;

/**
 * Events per second of processor time, with a sink that needs none. The best of five rounds counts, because other programs may
 * use the machine at the same time.
 */
export async function measureThroughput(
  strategy: Strategy,
  { batches }: Workload,
  milliseconds: number,
): Promise<number> {
  await repeat(strategy, batches, milliseconds);
  let best = 0;
  for (let round = 0; round < rounds; round += 1) {
    const start = cpuSeconds();
    const events = await repeat(strategy, batches, milliseconds / rounds);
    best = Math.max(best, events / (cpuSeconds() - start));
  }
  return best;
}

/** Only the steps from Lambda's event to the records: grouping, sorting and packing. */
export const packing: Strategy = {
  name: 'packing alone',
  read: () => [],
  deliver: async (batch) => {
    for (const { events } of groupByTarget(batch).groups)
      pack(sortBySequence(events), { lanes: 2, lineEnd: '' });
    await Promise.resolve();
  },
};

export type Trouble = {
  lost: number;
  /** Events that arrived more than once. */
  duplicates: number;
  /** Events that arrived after a later event of their aggregate. Duplicates do not count. */
  inversions: number;
};

export function inspect(arrived: readonly string[], { events }: Workload): Trouble {
  const seen = new Set<string>();
  const latest = new Map<string, string>();
  let [duplicates, inversions] = [0, 0];
  for (const text of arrived) {
    const { metadata } = JSON.parse(text) as {
      metadata: { eventId: string; aggregateId: string; tenantId: string };
    };
    const key = `${metadata.tenantId} ${metadata.aggregateId}`;
    const sequence = events.get(metadata.eventId)?.sequence ?? '';
    const before = latest.get(key) ?? '';
    if (seen.has(metadata.eventId)) duplicates += 1;
    else if (sequence < before) inversions += 1;
    seen.add(metadata.eventId);
    latest.set(key, sequence > before ? sequence : before);
  }
  return { lost: events.size - seen.size, duplicates, inversions };
}

export async function measureTrouble(strategy: Strategy, workload: Workload): Promise<Trouble> {
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const { sink, arrivals } = troubledSink(random);
  for (const batch of workload.batches) await strategy.deliver(batch, sink);
  const arrived = arrivals.flatMap((data) => strategy.read(data));
  return inspect(arrived, workload);
}

export type Latency = { p50: number; p99: number };

/** So many batches, that the slowest of them is less than a hundredth of the events. */
const measuredBatches = 120;

/** Milliseconds from the hand-over of a batch until the sink has accepted an event, for all events. */
export async function measureLatency(strategy: Strategy, { batches }: Workload): Promise<Latency> {
  const waits: number[] = [];
  for (let round = 0; round < measuredBatches; round += 1) {
    const batch = batches[round % batches.length] ?? [];
    const start = performance.now();
    const taken: [number, number][] = [];
    const sink = slowSink((at, records) => {
      for (const { data } of records) taken.push([at - start, data.length]);
    });
    await strategy.deliver(batch, sink);
    // Weighted by bytes instead of events, so that nothing must be unpacked during the measurement.
    for (const [wait, bytes] of taken) for (let part = 0; part < bytes; part += 512) waits.push(wait);
  }
  waits.sort((a, b) => a - b);
  const at = (share: number) => waits[Math.floor(waits.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
