import { setTimeout } from 'node:timers/promises';
import { nextBatch, type BatchLimits } from './batch-limits.ts';
import type { Answer } from './answer.ts';
import { nameOf } from './delivery-faults.ts';
import type { PackedRecord } from './packing.ts';
import { slowCodes, type Fault } from '../targets/target.ts';

/** What became of records. */
export type Delivery = {
  /** In the given order. Records of a batch without an answer are among them: they may arrive twice. */
  undelivered: PackedRecord[];
  /** Why they were not delivered; or, if all were, that the target is slow. */
  fault?: Fault;
  /** What the receiver of a webhook answered last that did not take records. */
  answer?: Answer;
  /** Records that the target will never take. Those beside and behind them went on. */
  refused?: { records: PackedRecord[]; fault: Fault };
};

/** What a target did not take, now or for ever. */
export const notTaken = ({ undelivered, refused }: Delivery): PackedRecord[] => [
  ...undelivered,
  ...(refused?.records ?? []),
];

/** Milliseconds between two attempts. `first` doubles with each failure, up to `longest`. */
export type Pauses = { shortestMs: number; firstMs: number; longestMs: number };

export type Sink = {
  limits: BatchLimits;
  /** If not given, those for services of AWS. */
  pauses?: Pauses;
  /** Sends one batch. Returns the fault of each record, if it has one. */
  send(batch: PackedRecord[], signal: AbortSignal): Promise<(Fault | undefined)[]>;
  /** True for the fault of a record that it gets each time. */
  isFinal?(fault: Fault): boolean;
  /** Why a batch failed as a whole. */
  explain(error: unknown): Fault;
  /** The fault of a target that took everything, but slowly. */
  slow?: Fault;
  /** The fault of a target that did not answer in time. */
  late?: Fault;
};

const pausesOfAws: Pauses = { shortestMs: 0, firstMs: 25, longestMs: 500 };

/**
 * A record that its target will never take: it says so, or it answers with what the service does not know and takes the record's
 * neighbours in the same call.
 */
const isRefused = (fault: Fault, faults: readonly (Fault | undefined)[], sink: Sink): boolean =>
  (sink.isFinal?.(fault) ?? false) || (fault.lastingActor === 'operator' && faults.includes(undefined));

/** Full jitter above the shortest pause: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
const pauseAfter = (failures: number, { shortestMs, firstMs, longestMs }: Pauses): number =>
  shortestMs + Math.random() * (Math.min(longestMs, firstMs * 2 ** failures) - shortestMs);

export const outOfTime: Fault = {
  actor: 'nobody',
  code: slowCodes.outOfTime,
  reason: 'The target did not take the events in time. Nobody needs to act: the events are sent again.',
};

/** Milliseconds after which a call counts as slow: everything behind it waits as long. */
const slowCallMs = 1_000;

/** Ends when the signal does, even where the SDK waits for something that cannot be aborted. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return await new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('out of time', { cause: signal.reason }));
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** A call of so few events is made again at once if its answer is lost. One of more waits, to be packed again in smaller ones. */
export const fewEvents = 8;

const lateOf = ({ late = outOfTime }: Sink): Fault => late;

/** The network's words for a call that was sent, and whose answer did not come. */
const unanswered = new Set(['TimeoutError', 'ECONNRESET', 'EPIPE']);

type Attempt = { faults: (Fault | undefined)[]; isUnanswered: boolean };

async function attempt(batch: PackedRecord[], end: number, sink: Sink): Promise<Attempt> {
  // The time that a call took has fractions, which a limit must not have.
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(end - Date.now())));
  try {
    return { faults: await within(signal, sink.send(batch, signal)), isUnanswered: false };
  } catch (error) {
    const fault = signal.aborted ? lateOf(sink) : sink.explain(error);
    const isUnanswered = signal.aborted || unanswered.has(nameOf(error));
    return { faults: batch.map(() => fault), isUnanswered };
  }
}

/**
 * Sends records until all are delivered, the tenant or the operator must act, or the time is over. A record that failed is
 * sent again before the records behind it in its lane, while other lanes continue: a partial failure changes no order.
 *
 * @param deadline milliseconds since 1970, after which no call begins
 * @param patienceMs milliseconds after the deadline that a call under way may still take
 */
export async function sendWithRetries(
  records: readonly PackedRecord[],
  deadline: number,
  sink: Sink,
  patienceMs = 0,
): Promise<Delivery> {
  let waiting = [...records];
  let failures = 0;
  let slowest = 0;
  let shortMs = slowCallMs;
  let reason = lateOf(sink);
  let isUncertain = false;
  let refused: Delivery['refused'];
  const left = (): Delivery => ({
    undelivered: waiting,
    fault: isUncertain ? { ...reason, unanswered: true } : reason,
    ...(refused && { refused }),
  });
  while (waiting.length > 0) {
    // A target may have taken the records of a call that is given up, and would get them twice.
    const longestMs = sink.slow ? slowest : 0;
    if (Date.now() >= deadline || Date.now() + longestMs > deadline + patienceMs) return left();
    const batch = nextBatch(waiting, sink.limits);
    const begun = performance.now();
    // A call of few events is soon repeated. The last one may take as long as any.
    const isShort = batch.some(({ alone }) => alone) && Date.now() + shortMs < deadline;
    const { faults, isUnanswered } = await attempt(
      batch,
      isShort ? Date.now() + shortMs : deadline + patienceMs,
      sink,
    );
    isUncertain = isUnanswered;
    const tookMs = performance.now() - begun;
    // A target that is slow to answer gets the time that it needs.
    shortMs = isUnanswered ? 2 * shortMs : Math.max(slowCallMs, 2 * tookMs);
    if (!isUnanswered) slowest = Math.max(slowest, tookMs);
    const refusal = faults.find((one) => one && isRefused(one, faults, sink));
    const passing = faults.map((one) => (one && isRefused(one, faults, sink) ? undefined : one));
    if (refusal) {
      const records = batch.filter((_, index) => faults[index] !== passing[index]);
      refused = { records: [...(refused?.records ?? []), ...records], fault: refusal };
    }
    const done = new Set(batch.filter((_, index) => passing[index] === undefined));
    waiting = waiting.filter((record) => !done.has(record));
    const fault = passing.find((one) => one !== undefined);
    if (!fault) {
      failures = 0;
      continue;
    }
    // A fault of the target tells more than the end of the time.
    if (fault !== lateOf(sink)) reason = fault;
    failures = done.size > 0 ? 1 : failures + 1;
    const chosen = pauseAfter(failures, sink.pauses ?? pausesOfAws);
    const pause = Math.max(chosen, (fault.notBefore ?? 0) - Date.now());
    if (isUnanswered && batch.some(({ alone, size }) => alone && size > fewEvents)) return left();
    if (fault.actor !== 'nobody' || Date.now() + pause >= deadline) return left();
    await setTimeout(pause);
  }
  const slow = sink.slow && slowest > slowCallMs ? { fault: sink.slow } : {};
  return { undelivered: [], ...slow, ...(refused && { refused }) };
}
