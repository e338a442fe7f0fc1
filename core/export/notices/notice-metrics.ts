import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../../kernel/observability.ts';

/** The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

/** For how many targets events have waited too long, without those that an operator knows of. */
export function measureStuckTargets(count: number): void {
  metrics.singleMetric().addMetric('StuckTargets', 'Count', count);
}
