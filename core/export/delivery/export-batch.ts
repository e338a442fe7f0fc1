import { setTimeout } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { countConfirmations } from '../../events/confirmation-metrics.ts';
import {
  groupByTarget,
  type CommittedEvent,
  type TargetEvents,
  type UnreadableItem,
} from '../../events/event-stream.ts';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import type { FirehoseProgress } from '../targets/target.ts';
import { awaitCatchUp, isCatchingUp } from './catch-up.ts';
import { firstCallsAtOnce, targetsAtOnce } from './concurrency.ts';
import type { DeadLetter } from './dead-letter-queue.ts';
import { countOutcomes } from './export-metrics.ts';
import type { Handling } from './handled-events.ts';
import type { Counts } from './lane-watermark-store.ts';
import { exportToTarget, progressOf, oldestOf, type Deadlines, type Exported } from './export-to-target.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { signalJobs, type Job } from './signal-jobs.ts';

/** Milliseconds, and how many targets are served at once. */
export type TimeBudget = {
  perTarget: number;
  perBatch: number;
  perParking: number;
  /** The longest that a batch waits for the redelivery of its targets, for all of them together. */
  perCatchUp: number;
  atOnce: number;
};

/** The next batch waits for the slowest target of this one. */
export const timeBudget: TimeBudget = {
  perTarget: 2_000,
  perBatch: 10_000,
  perParking: 10_000,
  perCatchUp: 1_000,
  atOnce: targetsAtOnce,
};

/**
 * Exports committed events to their tenants' targets, each target apart from the others.
 *
 * @returns checkpoints of the records with which the stream must begin again: their events could be neither delivered
 * nor parked, because the service's own tables or queues failed
 */
export async function exportBatch(
  deps: DeliveryDeps,
  records: readonly DynamoDBRecord[],
  budget: TimeBudget = timeBudget,
): Promise<string[]> {
  const { groups, unreadable } = groupByTarget(records);
  for (const { events } of groups) countConfirmations(events);
  const [found, signals] = await Promise.all([
    deps.targets.load(groups.map(({ ref }) => ref)),
    signalJobs(deps.targets, groups),
  ]);
  const jobs = groups.flatMap(({ ref, events }): Job[] => {
    const target = found.targets.get(describeTarget(ref));
    return target ? [{ target, events }] : [];
  });
  const malformed = groups.filter(({ ref }) => found.malformed.has(describeTarget(ref)));
  const letters = [...unreadable.map(ofItem), ...malformed.map(ofMalformedTarget)];
  const [lost, exported] = await Promise.all([
    sendToDeadLetter(deps, letters, budget),
    exportAll(deps, [...jobs, ...signals], budget),
  ]);
  const failed = [...lost, ...exported.flatMap(firstLeft)];
  if (failed.length > 0) remember(deps, exported);
  await writeCounts(deps, countsToWrite(exported, before(records, failed)));
  return failed;
}

/** The checkpoint of the first event, in the order of the stream, that waits for its exporter. */
function firstLeft({ left, committed }: ExportedJob): string[] {
  if (left.length === 0) return [];
  const waiting = new Set(left);
  return committed
    .filter((event) => waiting.has(event))
    .slice(0, 1)
    .map(({ checkpoint }) => checkpoint);
}

/** An event of a record that is left in part comes again with its record. */
function remember({ handled }: DeliveryDeps, exported: readonly ExportedJob[]): void {
  for (const { target, left, handled: what } of exported) {
    const again = new Set(left.map(({ checkpoint }) => checkpoint));
    for (const [handling, events] of Object.entries(what?.() ?? {}))
      handled.add(
        target,
        events.filter(({ checkpoint }) => !again.has(checkpoint)),
        handling as Handling,
      );
  }
}

/** True for events that do not come again: the stream begins again with the first record that failed. */
function before(
  records: readonly DynamoDBRecord[],
  failed: readonly string[],
): (event: CommittedEvent) => boolean {
  if (failed.length === 0) return () => true;
  const numbers = records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
  const positions = new Map(numbers.map((number, index) => [number, index]));
  const positionOf = (checkpoint: string): number => positions.get(checkpoint) ?? 0;
  const first = Math.min(...failed.map(positionOf));
  return ({ checkpoint }) => positionOf(checkpoint) < first;
}

/** Events of targets that are about to catch up wait for that. Events of the others do not. */
async function exportAll(deps: DeliveryDeps, jobs: Job[], budget: TimeBudget): Promise<ExportedJob[]> {
  const { late = [], ready = [] } = Object.groupBy(jobs, ({ target }) =>
    isCatchingUp(deps, target) ? 'late' : 'ready',
  );
  const exportLate = async (): Promise<ExportedJob[]> => {
    if (late.length === 0) return [];
    const before = late.map(({ target }) => target);
    const targets = await awaitCatchUp(deps, before, budget.perCatchUp);
    const current = late.map(({ target, events }, index) => ({ target: targets[index] ?? target, events }));
    return await exportJobs(deps, current, budget);
  };
  return (await Promise.all([exportJobs(deps, ready, budget), exportLate()])).flat();
}

/** Healthy targets come first, so that none of them waits for a target that uses all of its time. */
const byHealth = (a: Job, b: Job): number =>
  Number(a.target.state !== 'active') - Number(b.target.state !== 'active');

/** Targets that this Lambda has called before. */
const served = new Set<string>();

/** With the target's events, wanted or not, in the order of the stream. */
type ExportedJob = Exported & { committed: readonly CommittedEvent[] };

async function exportJobs(deps: DeliveryDeps, jobs: Job[], budget: TimeBudget): Promise<ExportedJob[]> {
  const end = Date.now() + budget.perBatch;
  const { known = [], first = [] } = Object.groupBy(jobs.toSorted(byHealth), ({ target }) =>
    served.has(describeTarget(target)) ? 'known' : 'first',
  );
  const serve = async (job: Job): Promise<ExportedJob> => {
    const delivery = Math.min(Date.now() + budget.perTarget, end);
    const deadlines = { delivery, parking: delivery + budget.perParking };
    const outcome = await exportJob(deps, job, deadlines);
    served.add(describeTarget(job.target));
    return { ...outcome, committed: job.events };
  };
  const pools = await Promise.all([
    mapConcurrent(known, budget.atOnce, serve),
    mapConcurrent(first, Math.min(budget.atOnce, firstCallsAtOnce), serve),
  ]);
  const exported = pools.flat();
  countOutcomes(exported);
  return exported;
}

/** Only the service's own tables and queues make it fail. Then the batch comes again. */
async function exportJob(
  deps: DeliveryDeps,
  { target, events }: Job,
  deadlines: Deadlines,
): Promise<Exported> {
  try {
    return await exportToTarget(deps, target, events, deadlines);
  } catch (error) {
    const { tenantId, category } = target;
    logger.error('not exported', { tenantId, category, fault: describeFault(error) });
    return { target, delivered: 0, parked: 0, events: [], left: events };
  }
}

type TargetCounts = { ref: TargetRef; counts: Counts; firehoseProgress?: FirehoseProgress };

/**
 * Counts each event once: those that come again are counted then. Counts that were written with watermarks are corrected.
 *
 * @param isLast true for an event that does not come again
 */
const countsToWrite = (
  exported: readonly Exported[],
  isLast: (event: CommittedEvent) => boolean,
): TargetCounts[] =>
  exported.flatMap(({ target, events, counted }) => {
    if (!counted) return [];
    const accepted = events.filter(isLast).length;
    const delivered = Math.min(counted.counts.delivered, accepted);
    const written = counted.isWritten ? counted.counts : { accepted: 0, delivered: 0 };
    const counts = {
      accepted: accepted - written.accepted,
      delivered: delivered - written.delivered,
      parked: 0,
    };
    const isRight = counts.accepted === 0 && counts.delivered === 0;
    const { tenantId, category } = target;
    const firehoseProgress = progressOf(target, counts.delivered, oldestOf(events));
    return isRight ? [] : [{ ref: { tenantId, category }, counts, ...firehoseProgress }];
  });

/** Milliseconds. Counts are for people: they may be lost, and nothing waits long for them. */
const timeForCountsMs = 2_000;
/** As many as DynamoDB's client has connections. The reads of the next batch would wait behind more. */
const countsAtOnce = 50;

/** It never fails. */
async function writeCounts({ watermarks }: DeliveryDeps, uncounted: readonly TargetCounts[]): Promise<void> {
  if (uncounted.length === 0) return;
  const timer = new AbortController();
  const end = Date.now() + timeForCountsMs;
  const isOver = setTimeout(timeForCountsMs, undefined, { signal: timer.signal }).catch(() => undefined);
  const written = mapConcurrent(uncounted, countsAtOnce, async ({ ref, counts, firehoseProgress }) => {
    if (Date.now() >= end) return;
    try {
      await watermarks.counted(ref, counts, firehoseProgress);
    } catch (error) {
      logger.warn('not counted', { ...ref, fault: describeFault(error) });
    }
  });
  await Promise.race([written, isOver]);
  timer.abort();
}

/** Content that no target can get. With `checkpoint` the stream would have to begin again. */
type UndeliverableLetter = DeadLetter & { checkpoint: string };

const ofItem = ({ reason, checkpoint, record }: UnreadableItem): UndeliverableLetter => {
  const { Keys: keys, NewImage: content } = record.dynamodb ?? {};
  return { reason, checkpoint, source: { keys, sequenceNumber: checkpoint }, content };
};

/** The events themselves stay in the events table, beginning with this one. */
const ofMalformedTarget = ({ ref, events: [first] }: TargetEvents): UndeliverableLetter => ({
  reason: "The target's item is malformed",
  checkpoint: first?.checkpoint ?? '',
  source: { ...ref, sequence: first?.sequence },
});

/** @returns checkpoints of the letters that could not be sent */
async function sendToDeadLetter(
  { deadLetters }: DeliveryDeps,
  letters: UndeliverableLetter[],
  { atOnce }: TimeBudget,
): Promise<string[]> {
  const lost = await mapConcurrent(letters, atOnce, async ({ checkpoint, ...letter }) => {
    logger.error('sent to dead letters', { reason: letter.reason, source: letter.source });
    try {
      await deadLetters.add(letter);
      return [];
    } catch (error) {
      logger.error('not sent to dead letters', { source: letter.source, fault: describeFault(error) });
      return [checkpoint];
    }
  });
  return lost.flat();
}
