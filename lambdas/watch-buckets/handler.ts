import { watchBuckets, type WatchDeps } from '../../core/export/reports/watch-buckets.ts';
import { measureBucketsInTrouble } from '../../core/export/reports/report-metrics.ts';

/** Looks at the buckets that Firehose could not write into. Mostly there are none. */
export const createHandler = (deps: WatchDeps) => async (): Promise<void> => {
  const count = await watchBuckets(deps, Date.now());
  if (count > 0) measureBucketsInTrouble(count);
};
