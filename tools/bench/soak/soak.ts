import { setTimeout as wait } from 'node:timers/promises';
import { runningStack, startStack, type LocalStack } from '../stack/stack.ts';
import { Arrivals } from './arrivals.ts';
import { openDestination, type Destination } from './destination.ts';
import { disturb, type Disturbance } from './disturb.ts';
import type { Resources } from './faults.ts';
import { Monitor } from './monitor.ts';
import type { Plan } from './plan.ts';
import { Recorder } from './recorder.ts';
import type { TargetKind } from './target-kinds.ts';

export type TargetResult = {
  kind: TargetKind;
  accepted: number;
  lost: number;
  duplicates: number;
  /** The objects of a bucket have no order. */
  inversions?: number;
};

export type Result = {
  plan: Plan;
  /** Of recording, and from then until everything had arrived. */
  seconds: { recording: number; settling: number };
  /** Calls of the API that were made again. */
  repeated: number;
  targets: TargetResult[];
  faults: Disturbance[];
};

/** True if no event was lost, none came out of order, and the targets recovered from every fault. */
export const isSound = ({ targets, faults }: Result): boolean =>
  targets.every(({ lost, inversions = 0 }) => lost === 0 && inversions === 0) &&
  faults.every(({ recovery }) => recovery !== undefined);

type Said = (line: string) => void;

export async function soak(plan: Plan, say: Said): Promise<Result> {
  const stack = plan.stack === undefined ? await startStack() : await runningStack(plan.stack);
  try {
    const destinations = await Promise.all(
      plan.targets.map(async (kind) => await openDestination(stack, kind)),
    );
    try {
      return await run(stack, plan, destinations, say);
    } finally {
      for (const destination of destinations) destination.close();
    }
  } finally {
    await stack.stop();
  }
}

/** Milliseconds between two looks at what arrived. */
const readInterval = 500;
/** Milliseconds between two lines about the progress. */
const sayInterval = 30_000;

async function run(
  stack: LocalStack,
  plan: Plan,
  destinations: readonly Destination[],
  say: Said,
): Promise<Result> {
  const refs = destinations.map(({ ref }) => ref);
  const monitor = new Monitor(stack.file.aws, refs);
  const consumers = destinations.map((destination) => new Consumer(destination));
  const recorder = new Recorder(plan);
  const [isRecorded, isOver] = [new AbortController(), new AbortController()];
  const arrived = (): number => consumers.reduce((sum, { arrivals }) => sum + arrivals.count, 0);
  const progress = setInterval(() => {
    const { accepted, repeated, lastRefusal } = recorder;
    const again = repeated === 0 ? '' : `, ${repeated} calls made again, the last one after: ${lastRefusal}`;
    say(`${accepted} events accepted, ${arrived()} arrived${again}`);
  }, sayInterval);
  const recordAll = async (): Promise<Omit<Result, 'plan' | 'faults'>> => {
    const begun = Date.now();
    const accepted = await recorder.record(destinations, isOver.signal);
    const ended = Date.now();
    isRecorded.abort();
    await disturbing;
    await settle(consumers, accepted, plan.patience * 1_000);
    const settled = Date.now();
    isOver.abort();
    await reading;
    return {
      seconds: { recording: (ended - begun) / 1_000, settling: (settled - ended) / 1_000 },
      repeated: recorder.repeated,
      targets: consumers.map((consumer, index) => consumer.result(accepted[index] ?? new Map())),
    };
  };
  const reading = Promise.all(consumers.map(async (consumer) => await consumer.run(isOver.signal)));
  const disturbing = disturb(
    { stack, plan, resources: resourcesOf(destinations), monitor },
    isRecorded.signal,
    (disturbance) => say(describe(disturbance)),
  );
  try {
    // The first part that fails ends the soak.
    const [recorded, faults] = await Promise.all([recordAll(), disturbing, reading]);
    return { plan, ...recorded, faults };
  } finally {
    isRecorded.abort();
    isOver.abort();
    clearInterval(progress);
    monitor.close();
  }
}

/** Of a target that there is not, no fault is chosen. */
const resourcesOf = (destinations: readonly Destination[]): Resources =>
  destinations.reduce<Resources>((all, { resources }) => ({ ...all, ...resources }), {
    streamName: '',
    bucket: '',
    deliveryStreamName: '',
  });

const describe = ({ name, duration, recovery }: Disturbance): string =>
  `${name} for ${(duration / 1_000).toFixed(1)} s: ${recovery === undefined ? 'no recovery' : `recovered in ${(recovery / 1_000).toFixed(1)} s`}`;

/** Reads what arrives in a target. */
class Consumer {
  readonly arrivals = new Arrivals();
  readonly #destination: Destination;

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  /** Reads until the signal, and then once more. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const isLast = signal.aborted;
      this.arrivals.add(await this.#destination.read());
      if (isLast) return;
      await wait(readInterval, undefined, { signal }).catch(() => undefined);
    }
  }

  isComplete(accepted: ReadonlyMap<string, number>): boolean {
    return this.arrivals.tally(accepted).lost === 0;
  }

  result(accepted: ReadonlyMap<string, number>): TargetResult {
    const { arrived, lost, duplicates, inversions } = this.arrivals.tally(accepted);
    const { kind } = this.#destination;
    const isOrdered = kind !== 'bucket';
    return { kind, accepted: arrived + lost, lost, duplicates, ...(isOrdered && { inversions }) };
  }
}

/** Until everything has arrived, or nothing arrives any more. */
async function settle(
  consumers: readonly Consumer[],
  accepted: readonly ReadonlyMap<string, number>[],
  patience: number,
): Promise<void> {
  const arrived = (): number => consumers.reduce((sum, { arrivals }) => sum + arrivals.count, 0);
  let [count, since] = [arrived(), Date.now()];
  while (!consumers.every((one, index) => one.isComplete(accepted[index] ?? new Map()))) {
    await wait(readInterval);
    if (arrived() > count) [count, since] = [arrived(), Date.now()];
    else if (Date.now() - since > patience) return;
  }
}
