import { findLateBuckets, type LookDeps } from '../../core/export/kinds/bucket/reports/find-late-buckets.ts';
import {
  measureBucketsInTrouble,
  measureIncompleteBuckets,
} from '../../core/export/kinds/bucket/reports/report-metrics.ts';
import { watchBuckets, type WatchDeps } from '../../core/export/kinds/bucket/reports/watch-buckets.ts';

/** Looks at the buckets that Firehose could not write into, mostly none, and a few times a day at all of them. */
export const createHandler = (deps: WatchDeps & LookDeps) => async (): Promise<void> => {
  await findLateBuckets(deps, Date.now());
  const { inTrouble, incomplete } = await watchBuckets(deps, Date.now());
  if (inTrouble > 0) measureBucketsInTrouble(inTrouble);
  if (incomplete > 0) measureIncompleteBuckets(incomplete);
};
