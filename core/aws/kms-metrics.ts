import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../kernel/observability.ts';

/** Separate from the logger, so that only Lambdas that use keys include it. The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

/** @param operation of KMS, which failed in all of its attempts */
export function countKeyFault(operation: string): void {
  metrics.singleMetric().addDimension('operation', operation).addMetric('KeyFaults', 'Count', 1);
}
