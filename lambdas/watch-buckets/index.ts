import {
  cloudWatchClient,
  DeliveryMetricsClient,
} from '../../core/export/kinds/bucket/reports/delivery-metrics-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { reportDeps } from '../../core/lambda/report-wiring.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { findLateBuckets } from '../../core/export/kinds/bucket/reports/find-late-buckets.ts';
import {
  measureBucketsInTrouble,
  measureIncompleteBuckets,
} from '../../core/export/kinds/bucket/reports/report-metrics.ts';
import { watchBuckets } from '../../core/export/kinds/bucket/reports/watch-buckets.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const deps = { ...reportDeps(env), metrics: new DeliveryMetricsClient(cloudWatchClient()) };

/** Looks at the buckets that Firehose could not write into, mostly none, and a few times a day at all of them. */
export const handler = scheduledLambda(async (): Promise<void> => {
  await findLateBuckets(deps, Date.now());
  const { inTrouble, incomplete } = await watchBuckets(deps, Date.now());
  if (inTrouble > 0) measureBucketsInTrouble(inTrouble);
  if (incomplete > 0) measureIncompleteBuckets(incomplete);
});
