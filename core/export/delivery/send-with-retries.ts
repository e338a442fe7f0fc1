import { setTimeout } from 'node:timers/promises';
import { nextBatch, type BatchLimits } from './batch-limits.ts';
import type { PackedRecord } from './packing.ts';
import { slowCodes, type Fault } from '../targets/target.ts';

/** What became of records. */
export type Delivery = {
  /** In the order in which they were given. Those whose batch got no answer are among them: they may arrive twice. */
  undelivered: PackedRecord[];
  /** Why; of delivered ones, that it took long. */
  fault?: Fault;
};

export type Sink = {
  limits: BatchLimits;
  /** One batch; for each record what was wrong with it, if anything. */
  send(batch: PackedRecord[], signal: AbortSignal): Promise<(Fault | undefined)[]>;
  /** Why a batch failed as a whole. */
  explain(error: unknown): Fault;
  /** What it means that a batch took longer than it should, although it went well. */
  slow?: Fault;
};

const firstWait = 25;
const longestWait = 500;

/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
const wait = (failures: number): number => Math.random() * Math.min(longestWait, firstWait * 2 ** failures);

export const outOfTime: Fault = {
  actor: 'nobody',
  code: slowCodes.outOfTime,
  reason:
    'The target did not take the events in the time that a batch has for it. Nobody needs to act: they are tried again.',
};

/** Milliseconds that a batch should not take: whatever comes behind it waits as long. */
const slowCall = 1_000;

/** Ends with the time that is left, even where the SDK waits for something that it cannot be called off. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return await new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('out of time', { cause: signal.reason }));
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

async function attempt(batch: PackedRecord[], end: number, sink: Sink): Promise<(Fault | undefined)[]> {
  const signal = AbortSignal.timeout(Math.max(1, end - Date.now()));
  try {
    return await within(signal, sink.send(batch, signal));
  } catch (error) {
    const fault = signal.aborted ? outOfTime : sink.explain(error);
    return batch.map(() => fault);
  }
}

/**
 * Sends records until all are delivered, somebody must act, or the time is over. A record that failed goes again
 * before those behind it in its lane, while the other lanes go on: a partial failure changes no order.
 *
 * @param deadline milliseconds since 1970, after which no batch begins
 * @param patience milliseconds beyond it that one that is under way may take
 */
export async function sendWithRetries(
  records: readonly PackedRecord[],
  deadline: number,
  sink: Sink,
  patience = 0,
): Promise<Delivery> {
  let waiting = [...records];
  let failures = 0;
  let slowest = 0;
  let reason: Fault = outOfTime;
  while (waiting.length > 0) {
    if (Date.now() >= deadline) return { undelivered: waiting, fault: reason };
    const batch = nextBatch(waiting, sink.limits);
    const begun = performance.now();
    const faults = await attempt(batch, deadline + patience, sink);
    slowest = Math.max(slowest, performance.now() - begun);
    const delivered = new Set(batch.filter((_, index) => faults[index] === undefined));
    waiting = waiting.filter((record) => !delivered.has(record));
    const fault = faults.find((one) => one !== undefined);
    if (!fault) {
      failures = 0;
      continue;
    }
    // That the time was over tells less than what took it.
    if (fault !== outOfTime) reason = fault;
    failures = delivered.size > 0 ? 1 : failures + 1;
    const pause = wait(failures);
    if (fault.actor !== 'nobody' || Date.now() + pause >= deadline)
      return { undelivered: waiting, fault: reason };
    await setTimeout(pause);
  }
  return { undelivered: [], ...(sink.slow && slowest > slowCall && { fault: sink.slow }) };
}
