import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { RateLimiter } from '../../../core/aws/rate-limiter.ts';
import { kindProperties } from '../../../core/export/kinds/records.ts';
import { isDrained } from '../../../core/export/targets/target.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import { localTables } from '../../local/resources/tables.ts';
import { accessAs } from '../../local/seed/aws-access.ts';
import { seeded } from '../report.ts';
import { runningStack, startStack, type LocalStack } from '../stack/stack.ts';
import { openDestination, type Destination } from './destination.ts';
import { failing, type Resources, type TargetKind } from './faults.ts';
import { Arrivals, Workload } from './workload.ts';

/** `rate`: events a second. Seconds of a fault, half as long up to half as long again, and until something is given up. */
export type Plan = {
  seed: number;
  events: number;
  rate: number;
  targets: readonly TargetKind[];
  faults: readonly string[];
  faultSeconds: number;
  /** Whether a fault begins while targets still recover from the one before. */
  relentless: boolean;
  patience: number;
  /** The state folder of a running stack. Without it the soak starts one of its own. */
  stack?: string | undefined;
};

/** A fault that is over; milliseconds. Without a recovery if a target did not become active again. */
export type Disturbance = { name: string; duration: number; recovery: number | 'not awaited' | undefined };
/** `drain`: milliseconds from the end of recording and of the last fault until everything was there; undefined if it never was. */
export type TargetResult = ReturnType<Arrivals['tally']> & { kind: TargetKind; drain: number | undefined };
export type Result = {
  plan: Plan;
  targets: TargetResult[];
  faults: Disturbance[];
  repeated: number;
  seconds: number;
};

/** True if no event was lost, none came out of order, and the targets recovered from every fault. */
type Judged = { targets: Omit<TargetResult, 'drain'>[]; faults: Disturbance[] };

export const isSound = ({ targets, faults }: Judged): boolean =>
  targets.every(
    ({ kind, lost, inversions }) => lost === 0 && (!kindProperties[kind].isOrdered || inversions === 0),
  ) && faults.every(({ recovery }) => recovery !== undefined);

const isOver = ({ aborted }: AbortSignal): boolean => aborted;

/** The most events that a call of the API takes. */
const largestCall = 100;
const workersOfATenant = 3;

/** Records the events of a tenant, and each call until it is accepted. @returns the last number of each aggregate */
async function record({ client, ref }: Destination, first: number, run: Run): Promise<Map<string, number>> {
  const workers = Array.from({ length: workersOfATenant }, async (_, index) => {
    const worker = first + index;
    const workload = new Workload(worker, ref.tenantId, seeded(run.plan.seed * 1_000 + worker));
    for (;;) {
      await run.turns.turn();
      const count = Math.min(largestCall, run.left);
      if (count === 0 || isOver(run.over.signal)) return [...workload.numbers];
      run.left -= count;
      const events = workload.next(count);
      // A call without an answer may have been accepted. The same events again are accepted once.
      while (!(await isAccepted(client, events)) && !isOver(run.over.signal)) {
        run.repeated += 1;
        await wait(200);
      }
    }
  });
  return new Map((await Promise.all(workers)).flat());
}

async function isAccepted(client: Destination['client'], events: readonly object[]): Promise<boolean> {
  const { status, text } = await client.recordEvents(events).catch(() => ({ status: 503, text: '' }));
  if (status === 202) return true;
  if (status !== 429 && status < 500) throw new Error(`The service refused events with ${status}: ${text}`);
  return false;
}

type Run = { plan: Plan; turns: RateLimiter; left: number; repeated: number; over: AbortController };

/** @returns milliseconds until all targets are active, no event waits, and it stays so; undefined if they did not recover */
async function recovery(store: TargetStore, refs: readonly Destination['ref'][], patience: number) {
  // A call that hangs is given up after two seconds, and only then a target's record tells of it.
  const steady = 2_500;
  const begun = Date.now();
  let since: number | undefined;
  while ((since ?? Date.now()) - begun < patience) {
    const targets = [...(await store.load(refs)).targets.values()];
    const isWell = targets.every((target) => target.state === 'active' && isDrained(target));
    since = isWell && targets.length === refs.length ? (since ?? Date.now()) : undefined;
    if (since !== undefined && Date.now() - since >= steady) return since - begun;
    await wait(100);
  }
  return undefined;
}

/** Makes one fault after the other, in an order of the seed, until the signal. Each ends before the next one begins. */
async function disturb(
  stack: LocalStack,
  destinations: readonly Destination[],
  plan: Plan,
  signal: AbortSignal,
) {
  const client = new DynamoDBClient(accessAs('SOAK', stack.file.aws, 'dynamodb'));
  const store = new TargetStore(DynamoDBDocumentClient.from(client), localTables.tenants);
  const refs = destinations.map(({ ref }) => ref);
  const resources = destinations.reduce<Resources>((all, one) => ({ ...all, ...one.resources }), {});
  const random = seeded(plan.seed);
  const over: Disturbance[] = [];
  let ended = Date.now();
  while (!isOver(signal) && plan.faults.length > 0)
    for (const name of plan.faults.toSorted(() => random() - 0.5)) {
      if (isOver(signal)) break;
      const duration = plan.faultSeconds * 1_000 * (0.5 + random());
      await failing(stack.file, name, resources, async () => await wait(duration));
      ended = Date.now();
      const isAwaited = !plan.relentless || isOver(signal);
      const recovered = isAwaited ? await recovery(store, refs, plan.patience * 1_000) : 'not awaited';
      over.push({ name, duration, recovery: recovered });
      console.error(JSON.stringify(over.at(-1)));
    }
  client.destroy();
  return { over, ended };
}

/** Reads what arrives until the signal, and then once more. */
async function readAll({ read }: Destination, arrivals: Arrivals, signal: AbortSignal): Promise<void> {
  for (;;) {
    const isLast = signal.aborted;
    arrivals.add(await read());
    if (isLast) return;
    await wait(500, undefined, { signal }).catch(() => undefined);
  }
}

export async function soak(plan: Plan): Promise<Result> {
  const stack = plan.stack === undefined ? await startStack() : await runningStack(plan.stack);
  const destinations: Destination[] = [];
  const turns = new RateLimiter((largestCall * 1_000) / plan.rate);
  const run: Run = { plan, turns, left: plan.events, repeated: 0, over: new AbortController() };
  const recorded = new AbortController();
  try {
    for (const kind of plan.targets) destinations.push(await openDestination(stack, kind));
    const read = destinations.map((destination) => ({ destination, arrivals: new Arrivals() }));
    const reading = Promise.all(
      read.map(async ({ destination, arrivals }) => await readAll(destination, arrivals, run.over.signal)),
    );
    const disturbing = disturb(stack, destinations, plan, recorded.signal);
    const recording = async (): Promise<Pick<Result, 'targets' | 'seconds'>> => {
      const begun = Date.now();
      const accepted = await Promise.all(
        destinations.map(async (one, index) => await record(one, index * workersOfATenant, run)),
      );
      const end = Date.now();
      recorded.abort();
      const tallies = () => read.map(({ arrivals }, index) => arrivals.tally(accepted[index] ?? new Map()));
      const [{ ended }, complete] = await Promise.all([
        disturbing,
        untilArrived(tallies, plan.patience * 1_000),
      ]);
      run.over.abort();
      await reading;
      return {
        seconds: (end - begun) / 1_000,
        targets: tallies().map((tally, index) => ({
          kind: plan.targets[index] ?? 'stream',
          ...tally,
          drain: complete[index] && Math.max(0, complete[index] - Math.max(end, ended)),
        })),
      };
    };
    // The first part that fails ends the soak.
    const [result, { over: faults }] = await Promise.all([recording(), disturbing, reading]);
    return { plan, ...result, faults, repeated: run.repeated };
  } finally {
    recorded.abort();
    run.over.abort();
    for (const destination of destinations) destination.close();
    await stack.stop();
  }
}

/**
 * Until everything has arrived, or nothing arrives any more.
 *
 * @returns for each target when that was, if it was
 */
async function untilArrived(
  tallies: () => { lost: number }[],
  patience: number,
): Promise<(number | undefined)[]> {
  let [least, since] = [Infinity, Date.now()];
  const complete: (number | undefined)[] = [];
  while (least > 0 && Date.now() - since < patience) {
    await wait(500);
    const lost = tallies().map((one) => one.lost);
    lost.forEach((count, index) => {
      if (count === 0) complete[index] ??= Date.now();
    });
    const sum = lost.reduce((total, count) => total + count, 0);
    if (sum < least) [least, since] = [sum, Date.now()];
  }
  return complete;
}
