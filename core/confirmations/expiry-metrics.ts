import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../kernel/observability.ts';

/** Separate from the logger, so that only the clock's Lambda includes it. The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

/** How long the oldest expiry was over when the clock found it. */
export function measureLateness(milliseconds: number): void {
  metrics.singleMetric().addMetric('ExpiryLateness', 'Milliseconds', milliseconds);
}
