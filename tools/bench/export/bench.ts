import {
  measureCosts,
  measureLatency,
  measureThroughput,
  measureTrouble,
  packing,
  type Costs,
  type Latency,
  type Trouble,
} from './measure.ts';
import { makeWorkload, type Scenario } from './scenario.ts';
import { kinesisAgg } from './strategies/kinesis-agg.ts';
import { onePerRecord } from './strategies/one-per-record.ts';
import { ours } from './strategies/ours.ts';
import type { Strategy } from './strategies/strategy.ts';
import { streamsToFirehose } from './strategies/streams-to-firehose.ts';

const strategies: readonly Strategy[] = [
  ours('stream'),
  ours('bucket'),
  onePerRecord,
  kinesisAgg,
  streamsToFirehose,
];

export type Result = { strategy: string; scenario: Scenario; eventsPerSecond: number } & Costs &
  Trouble &
  Latency;

export type Size = {
  scenarios: readonly Scenario[];
  /** Duration of each speed measurement. */
  milliseconds: number;
  /** The least number of events of each scenario. */
  events: number;
};

const tenants = [1, 20, 200];
const batches = [100, 1_000, 4_000];

/** With one tenant both distributions are the same. */
const allScenarios = tenants.flatMap((count) =>
  (count === 1 ? (['uniform'] as const) : (['uniform', 'zipf'] as const)).flatMap((distribution) =>
    batches.map((batch): Scenario => ({ tenants: count, distribution, batch })),
  ),
);

export const full: Size = { scenarios: allScenarios, milliseconds: 600, events: 12_000 };
export const quick: Size = {
  scenarios: [
    { tenants: 20, distribution: 'uniform', batch: 1_000 },
    { tenants: 20, distribution: 'zipf', batch: 1_000 },
  ],
  milliseconds: 100,
  events: 3_000,
};

/** Events per second and core of only the packing path, in batches of 1,000 for 20 tenants. */
export async function benchPacking({ milliseconds, events }: Size): Promise<number> {
  const workload = makeWorkload(
    { tenants: 20, distribution: 'uniform', batch: 1_000 },
    Math.ceil(events / 1_000),
  );
  return await measureThroughput(packing, workload, milliseconds);
}

/** Runs all strategies on the same events, scenario by scenario. */
export async function* bench({ scenarios, milliseconds, events }: Size): AsyncGenerator<Result[]> {
  for (const scenario of scenarios) {
    const workload = makeWorkload(scenario, Math.ceil(events / scenario.batch));
    const results: Result[] = [];
    for (const strategy of strategies)
      results.push({
        strategy: strategy.name,
        scenario,
        eventsPerSecond: await measureThroughput(strategy, workload, milliseconds),
        ...(await measureCosts(strategy, workload)),
        ...(await measureTrouble(strategy, workload)),
        ...(await measureLatency(strategy, workload)),
      });
    yield results;
  }
}
