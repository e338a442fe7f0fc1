import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../kernel/observability.ts';
import type { FirstOutcome } from './first-attempt.ts';
import type { FurtherOutcome } from './further-attempt.ts';

/** The namespace comes from the environment. One log entry for each batch. */
const metrics = new Metrics({ defaultDimensions: { stage } });

type Measured = FirstOutcome | FurtherOutcome;

const countOf = (outcomes: readonly Measured[], ...named: Measured['outcome'][]): number =>
  outcomes.filter(({ outcome }) => named.includes(outcome)).length;

/** Measures a batch. The reason of an undelivered callback is that of its failed attempt. */
export function measureCallbacks(outcomes: readonly Measured[]): void {
  const failures = outcomes.filter(({ outcome, reason }) => outcome !== 'delivered' && reason !== undefined);
  metrics.addMetric('CallbacksDelivered', 'Count', countOf(outcomes, 'delivered'));
  metrics.addMetric('CallbackAttemptsFailed', 'Count', failures.length);
  metrics.addMetric('CallbacksGivenUp', 'Count', countOf(outcomes, 'given-up'));
  for (const { outcome, ageMs = 0 } of outcomes) {
    if (outcome === 'delivered') metrics.addMetric('CallbackAge', 'Milliseconds', ageMs);
    if (outcome === 'held' || outcome === 'failed')
      metrics.addMetric('WaitingCallbackAge', 'Milliseconds', ageMs);
  }
  metrics.publishStoredMetrics();
}
