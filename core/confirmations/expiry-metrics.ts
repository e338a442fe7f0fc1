import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../kernel/observability.ts';

/** Separate from the logger, so that only the scheduled Lambda includes it. The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

/** The delay of the oldest expiry when the schedule found it. */
export function measureLateness(milliseconds: number): void {
  metrics.singleMetric().addMetric('ExpiryLateness', 'Milliseconds', milliseconds);
}
