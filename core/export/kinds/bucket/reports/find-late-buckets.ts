import type { TargetRef } from '../../../../events/target-ref.ts';
import { describeFault, logger } from '../../../../kernel/observability.ts';
import { hours, minutes, seconds } from '../../../../kernel/time.ts';
import type { BucketReports } from './bucket-report-store.ts';
import { lateBucketCode, openLosses, type Fault, type Target } from '../../../targets/target.ts';
import { isBucket, type BucketDestination } from '../record.ts';
import type { TargetStore } from '../../../targets/target-store.ts';
import type { DeliveryMetrics, DeliveryMetricsClient } from './delivery-metrics-client.ts';
import type { WatchedBuckets } from '../../../targets/watched-bucket-store.ts';

export type LookDeps = {
  targets: Pick<TargetStore, 'pages' | 'load'>;
  reports: Pick<BucketReports, 'failing'>;
  watched: Pick<WatchedBuckets, 'add' | 'beginLook'>;
  metrics: Pick<DeliveryMetricsClient, 'latest'>;
  requestTest: (ref: TargetRef) => Promise<unknown>;
};

/** Each look costs two metrics of CloudWatch for each bucket with events. Firehose drops nothing for a day. */
export const pauseBetweenLooksMs = 6 * hours;
/** Firehose writes within minutes. */
const lateMs = 1 * hours;
/** Firehose keeps nothing longer. */
const retentionMs = 24 * hours;
/** Metrics come each minute while Firehose has records. */
const silence = 3 * minutes;

const fault: Fault = {
  actor: 'operator',
  code: lateBucketCode,
  reason:
    'Firehose has held events for more than an hour, and has logged no error. The operator must look at its delivery stream, and register the bucket again, so that Firehose logs its errors.',
};

type BucketTarget = Target & { destination: BucketDestination };

/** Only buckets for which Firehose may have events are asked for. Buckets in trouble are watched anyway. */
function mayBeLate(target: Target, now: number): target is BucketTarget {
  const { destination, bucketTrouble, firehoseProgress } = target;
  return (
    isBucket(destination) &&
    !bucketTrouble &&
    firehoseProgress !== undefined &&
    now - firehoseProgress.at < retentionMs
  );
}

/** @returns when Firehose got the oldest event that it has not written, if that is too long ago */
function lateSince({ freshness }: DeliveryMetrics, now: number): number | undefined {
  if (!freshness || now - freshness.at > silence || freshness.value * seconds <= lateMs) return undefined;
  return freshness.at - freshness.value * seconds;
}

/**
 * Finds buckets that Firehose does not write into although it logs no error. The log has all that Firehose says, but
 * Firehose may not be allowed to write it. They are then in trouble like any other.
 *
 * @returns how many buckets were asked for; nothing if they were looked at not long ago
 */
export async function findLateBuckets(deps: LookDeps, now: number): Promise<number | undefined> {
  if (!(await deps.watched.beginLook(now, now - pauseBetweenLooksMs))) return undefined;
  let count = 0;
  for await (const refs of deps.targets.pages()) count += await lookAt(deps, refs, now);
  return count;
}

async function lookAt(deps: LookDeps, refs: readonly TargetRef[], now: number): Promise<number> {
  const { targets } = await deps.targets.load(refs);
  for (const target of targets.values()) if (openLosses(target).length > 0) await deps.watched.add(target);
  const asked = [...targets.values()].filter((target) => mayBeLate(target, now));
  const metrics = await deps.metrics.latest(
    asked.map(({ destination }) => destination.deliveryStreamName),
    now,
  );
  for (const [index, target] of asked.entries()) {
    const since = lateSince(metrics[index] ?? {}, now);
    if (since !== undefined) await report(deps, target, { at: now, since });
  }
  return asked.length;
}

/** What could not be written is found again with the next look. */
async function report(
  deps: LookDeps,
  target: BucketTarget,
  times: { at: number; since: number },
): Promise<void> {
  const { tenantId, category, destination } = target;
  const { bucket } = destination;
  const ref = { tenantId, category };
  try {
    if (!(await deps.reports.failing(target, fault, { bucket, ...times }))) return;
    await deps.watched.add(ref);
    logger.warn('bucket late', { ...ref, code: fault.code });
    await deps.requestTest(ref);
  } catch (error) {
    logger.error('late bucket not reported', { ...ref, fault: describeFault(error) });
  }
}
