import { describeTarget, type TargetRef } from '../../../../events/target-ref.ts';
import { describeFault, logger } from '../../../../kernel/observability.ts';
import type { BucketReports } from './bucket-report-store.ts';
import type { BucketTrouble, Target } from '../../../targets/target.ts';
import type { TargetStore } from '../../../targets/target-store.ts';
import type { DeliveryMetrics, DeliveryMetricsClient } from './delivery-metrics-client.ts';
import { isBucket } from '../record.ts';
import { isReplaced, judgeBucket } from './judge-bucket.ts';
import type { WatchedBuckets } from './watched-bucket-store.ts';

export type WatchDeps = {
  targets: Pick<TargetStore, 'load'>;
  reports: Pick<BucketReports, 'settled' | 'progressed'>;
  watched: Pick<WatchedBuckets, 'pages' | 'remove'>;
  metrics: Pick<DeliveryMetricsClient, 'latest'>;
  requestTest: (ref: TargetRef) => Promise<unknown>;
};

type Troubled = { target: Target; trouble: BucketTrouble };

const troubledOf = (target: Target | undefined): Troubled[] =>
  target?.bucketTrouble ? [{ target, trouble: target.bucketTrouble }] : [];

/** A target that has no bucket any more has no delivery stream, and so no metrics. */
const streamOf = ({ target: { destination } }: Troubled): string =>
  isBucket(destination) ? destination.deliveryStreamName : 'none';

/** @returns how many buckets are in trouble */
export async function watchBuckets(deps: WatchDeps, now: number): Promise<number> {
  let count = 0;
  for await (const refs of deps.watched.pages()) count += await watchPage(deps, refs, now);
  return count;
}

async function watchPage(deps: WatchDeps, refs: readonly TargetRef[], now: number): Promise<number> {
  if (refs.length === 0) return 0;
  const { targets } = await deps.targets.load(refs);
  const troubled = refs.flatMap((ref) => troubledOf(targets.get(describeTarget(ref))));
  const names = new Set(troubled.map(({ target }) => describeTarget(target)));
  for (const ref of refs) if (!names.has(describeTarget(ref))) await deps.watched.remove(ref);
  const metrics = await deps.metrics.latest(troubled.map(streamOf), now);
  for (const [index, each] of troubled.entries()) await watch(deps, each, metrics[index] ?? {}, now);
  return troubled.length;
}

/** What could not be written is judged again with the next look. */
async function watch(
  { reports, requestTest }: WatchDeps,
  { target, trouble }: Troubled,
  metrics: DeliveryMetrics,
  now: number,
): Promise<void> {
  const { tenantId, category } = target;
  try {
    const judgement = judgeBucket(target, trouble, metrics, now);
    if (judgement.outcome === 'progressed')
      await reports.progressed(target, judgement.written, judgement.loss);
    if (judgement.outcome !== 'settled') return;
    const isWritten = await reports.settled(target, now, judgement.loss);
    // The test also finds what Firehose wrote under `errors/`.
    if (isWritten && !isReplaced(target, trouble)) await requestTest({ tenantId, category });
    logger.info('bucket settled', { tenantId, category, lost: judgement.loss?.count ?? 0 });
  } catch (error) {
    logger.error('bucket not watched', { tenantId, category, fault: describeFault(error) });
  }
}
