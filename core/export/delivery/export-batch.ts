import type { DynamoDBRecord } from 'aws-lambda';
import type { DeadLetter } from './dead-letter-queue.ts';
import type { CommittedEvent, UnreadableItem } from '../../events/event-stream.ts';
import type { Target } from '../targets/target.ts';
import { describeTarget } from '../../events/target-ref.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { timeBudget, type DeliveryDeps, type TimeBudget } from './deliver-to-target.ts';
import { countConfirmations } from '../../events/confirmation-metrics.ts';
import { countDelivered } from './export-counts.ts';
import { countOutcomes } from './export-metrics.ts';
import { awaitCatchUp, isCatchingUp } from './catch-up.ts';
import { exportToTarget, type Exported } from './export-to-target.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { groupByTarget, type Share } from './group-by-target.ts';

type Job = { target: Target; events: CommittedEvent[] };

/** What no target can get; `checkpoint` is where the stream would have to begin again. */
type Misfit = DeadLetter & { checkpoint: string };

const misfitItem = ({ reason, checkpoint, record }: UnreadableItem): Misfit => {
  const { Keys: keys, NewImage: content } = record.dynamodb ?? {};
  return { reason, checkpoint, source: { keys, sequenceNumber: checkpoint }, content };
};

/** Somebody edited the target by hand. Its events are in the events table, from this one on. */
const misfitShare = ({ ref, events: [first] }: Share): Misfit => ({
  reason: "The target's item is malformed",
  checkpoint: first?.checkpoint ?? '',
  source: { ...ref, sequence: first?.sequence },
});

/** @returns checkpoints of those that could not be kept */
async function sendToDeadLetter(
  { deadLetters }: DeliveryDeps,
  misfits: Misfit[],
  { atOnce }: TimeBudget,
): Promise<string[]> {
  const lost = await mapConcurrent(misfits, atOnce, async ({ checkpoint, ...letter }) => {
    logger.error('put aside', { reason: letter.reason, source: letter.source });
    try {
      await deadLetters.add(letter);
      return [];
    } catch (error) {
      logger.error('not put aside', { source: letter.source, fault: describeFault(error) });
      return [checkpoint];
    }
  });
  return lost.flat();
}

/** Those that are well come first: one that takes all of its time keeps none of them waiting. */
const byHealth = (a: Job, b: Job): number =>
  Number(a.target.state !== 'active') - Number(b.target.state !== 'active');

/** @returns a checkpoint for each target for which events could neither be delivered nor parked */
async function exportJobs(deps: DeliveryDeps, jobs: Job[], budget: TimeBudget): Promise<string[]> {
  const end = Date.now() + budget.perBatch;
  const exported = await mapConcurrent(jobs.toSorted(byHealth), budget.atOnce, async (job) => {
    const delivery = Math.min(Date.now() + budget.perTarget, end);
    const deadlines = { delivery, parking: delivery + budget.perParking };
    return { ...(await exportJob(deps, job, deadlines)), checkpoint: job.events[0]?.checkpoint ?? '' };
  });
  countOutcomes(exported);
  await countDelivered(
    deps,
    exported.flatMap(({ uncounted }) => uncounted ?? []),
    budget.atOnce,
  );
  return exported.filter(({ isDone }) => !isDone).map(({ checkpoint }) => checkpoint);
}

/** New events of a target that the redelivery is nearly done with wait for that; those of others do not. */
async function exportAll(deps: DeliveryDeps, jobs: Job[], budget: TimeBudget): Promise<string[]> {
  const { late = [], ready = [] } = Object.groupBy(jobs, ({ target }) =>
    isCatchingUp(deps, target) ? 'late' : 'ready',
  );
  const wait = async (): Promise<string[]> => {
    if (late.length === 0) return [];
    const targets = await awaitCatchUp(
      deps,
      late.map(({ target }) => target),
      budget.perCatchUp,
    );
    const caughtUp = late.map(({ target, events }, index) => ({
      target: targets[index] ?? target,
      events,
    }));
    return await exportJobs(deps, caughtUp, budget);
  };
  return (await Promise.all([exportJobs(deps, ready, budget), wait()])).flat();
}

/** What goes wrong here is wrong on our side, with the tables or the queues: the batch comes again. */
async function exportJob(
  deps: DeliveryDeps,
  { target, events }: Job,
  deadlines: Parameters<typeof exportToTarget>[3],
): Promise<Exported> {
  try {
    return await exportToTarget(deps, target, events, deadlines);
  } catch (error) {
    const { tenantId, category } = target;
    logger.error('not exported', { tenantId, category, fault: describeFault(error) });
    return { target, delivered: 0, parked: 0, isDone: false };
  }
}

/**
 * Brings committed events to their tenants' targets, each target apart from the others.
 *
 * @returns checkpoints of the records from which the stream is to begin again: what could neither be delivered nor
 * parked, which is a fault of ours
 */
export async function exportBatch(
  deps: DeliveryDeps,
  records: readonly DynamoDBRecord[],
  budget: TimeBudget = timeBudget,
): Promise<string[]> {
  const { shares, unreadable } = groupByTarget(records);
  for (const { events } of shares) countConfirmations(events);
  const found = await deps.targets.load(shares.map(({ ref }) => ref));
  const jobs = shares.flatMap(({ ref, events }): Job[] => {
    const target = found.targets.get(describeTarget(ref));
    return target ? [{ target, events }] : [];
  });
  const misfits = [
    ...unreadable.map(misfitItem),
    ...shares.filter(({ ref }) => found.malformed.has(describeTarget(ref))).map(misfitShare),
  ];
  return (await Promise.all([sendToDeadLetter(deps, misfits, budget), exportAll(deps, jobs, budget)])).flat();
}
