import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../../../../kernel/observability.ts';

/** The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

/** How many buckets Firehose cannot write into, or has not written into since. */
export function measureBucketsInTrouble(count: number): void {
  metrics.singleMetric().addMetric('BucketsInTrouble', 'Count', count);
}

/** In how many buckets events are missing that nobody replayed or dismissed. */
export function measureIncompleteBuckets(count: number): void {
  metrics.singleMetric().addMetric('IncompleteBuckets', 'Count', count);
}
