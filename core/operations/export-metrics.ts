import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Destination } from '../domain/target.ts';

/** What became of a target's events. */
export type Outcome = {
  kind: Destination['kind'];
  delivered: number;
  parked: number;
  /** Milliseconds since the oldest of them was recorded, where they did not wait on purpose. */
  age?: number;
};

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

const metricsOf = new Map<Outcome['kind'], Metrics>();

/** The namespace comes from the environment. Made once, as it is not cheap. */
function metricsFor(kind: Outcome['kind']): Metrics {
  const known = metricsOf.get(kind);
  if (known) return known;
  const made = new Metrics({ defaultDimensions: { target: kind } });
  metricsOf.set(kind, made);
  return made;
}

/** One entry for each kind of target. */
export function countOutcomes(outcomes: readonly Outcome[]): void {
  for (const [kind, its] of Map.groupBy(outcomes, (outcome) => outcome.kind)) {
    const metrics = metricsFor(kind);
    metrics.addMetric('EventsDelivered', 'Count', sum(its.map(({ delivered }) => delivered)));
    metrics.addMetric('EventsParked', 'Count', sum(its.map(({ parked }) => parked)));
    const ages = its.flatMap(({ age }) => (age === undefined ? [] : [age]));
    if (ages.length > 0) metrics.addMetric('EventAge', 'Milliseconds', Math.max(...ages));
    metrics.publishStoredMetrics();
  }
}
