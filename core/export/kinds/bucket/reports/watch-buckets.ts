import { describeTarget, type TargetRef } from '../../../../events/target-ref.ts';
import { describeFault, logger } from '../../../../kernel/observability.ts';
import type { BucketReports } from './bucket-report-store.ts';
import { openLosses, type BucketTrouble, type Target } from '../../../targets/target.ts';
import type { TargetStore } from '../../../targets/target-store.ts';
import type { DeliveryMetrics, DeliveryMetricsClient } from './delivery-metrics-client.ts';
import { isBucket } from '../record.ts';
import { isReplaced, judgeBucket } from './judge-bucket.ts';
import type { WatchedBuckets } from '../../../targets/watched-bucket-store.ts';

export type WatchDeps = {
  targets: Pick<TargetStore, 'load'>;
  reports: Pick<BucketReports, 'settled' | 'progressed'>;
  watched: Pick<WatchedBuckets, 'pages' | 'remove'>;
  metrics: Pick<DeliveryMetricsClient, 'latest'>;
  requestTest: (ref: TargetRef) => Promise<unknown>;
};

type Troubled = { target: Target; trouble: BucketTrouble };

const troubledOf = (target: Target): Troubled[] =>
  target.bucketTrouble ? [{ target, trouble: target.bucketTrouble }] : [];

/** A target that has no bucket any more has no delivery stream, and so no metrics. */
const streamOf = ({ target: { destination } }: Troubled): string =>
  isBucket(destination) ? destination.deliveryStreamName : 'none';

/** How many buckets Firehose cannot write into, and in how many events are missing that nobody replayed or dismissed. */
export type Watched = { inTrouble: number; incomplete: number };

export async function watchBuckets(deps: WatchDeps, now: number): Promise<Watched> {
  const all: Watched = { inTrouble: 0, incomplete: 0 };
  for await (const refs of deps.watched.pages()) {
    const { inTrouble, incomplete } = await watchPage(deps, refs, now);
    all.inTrouble += inTrouble;
    all.incomplete += incomplete;
  }
  return all;
}

async function watchPage(deps: WatchDeps, refs: readonly TargetRef[], now: number): Promise<Watched> {
  if (refs.length === 0) return { inTrouble: 0, incomplete: 0 };
  const { targets } = await deps.targets.load(refs);
  const found = refs.flatMap((ref) => targets.get(describeTarget(ref)) ?? []);
  const troubled = found.flatMap(troubledOf);
  const incomplete = found.filter((target) => openLosses(target).length > 0);
  const names = new Set([...troubled.map(({ target }) => target), ...incomplete].map(describeTarget));
  for (const ref of refs) if (!names.has(describeTarget(ref))) await deps.watched.remove(ref);
  const metrics = await deps.metrics.latest(troubled.map(streamOf), now);
  for (const [index, each] of troubled.entries()) await watch(deps, each, metrics[index] ?? {}, now);
  return { inTrouble: troubled.length, incomplete: incomplete.length };
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
