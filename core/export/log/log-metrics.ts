import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../../kernel/observability.ts';

/** The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

/** How long after its end the oldest minute is still open that should have been closed. */
export function measureOpenMinute(ageMs: number): void {
  metrics.singleMetric().addMetric('OpenMinuteAge', 'Milliseconds', ageMs);
}
