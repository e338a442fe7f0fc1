import { findLateBuckets, type LookDeps } from '../../core/export/kinds/bucket/reports/find-late-buckets.ts';
import { measureBucketsInTrouble } from '../../core/export/kinds/bucket/reports/report-metrics.ts';
import { watchBuckets, type WatchDeps } from '../../core/export/kinds/bucket/reports/watch-buckets.ts';

/** Looks at the buckets that Firehose could not write into, mostly none, and a few times a day at all of them. */
export const createHandler = (deps: WatchDeps & LookDeps) => async (): Promise<void> => {
  await findLateBuckets(deps, Date.now());
  const count = await watchBuckets(deps, Date.now());
  if (count > 0) measureBucketsInTrouble(count);
};
