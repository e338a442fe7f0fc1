import { Metrics } from '@aws-lambda-powertools/metrics';
import { oldestWaitingAge } from '../targets/target-status.ts';
import type { Target } from '../targets/target.ts';
import { describeTarget } from '../../events/target-ref.ts';
import { stage } from '../../kernel/observability.ts';

/** What became of a target's events. */
export type Outcome = {
  /** As it was before. */
  target: Target;
  delivered: number;
  parked: number;
  /** Milliseconds since the oldest of them was recorded, where they did not wait on purpose. */
  ageMs?: number;
};

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

const metricsOf = new Map<string, Metrics>();

/** The namespace comes from the environment. Made once for each value, of which there are few: never a tenant. */
function metricsFor(dimension: 'target' | 'state', value: string): Metrics {
  const known = metricsOf.get(value);
  if (known) return known;
  const made = new Metrics({ defaultDimensions: { stage, [dimension]: value } });
  metricsOf.set(value, made);
  return made;
}

const isKnown = (value: number | undefined): value is number => value !== undefined;

/** One log entry for each kind of target. */
function countEvents(outcomes: readonly Outcome[], now: number): void {
  for (const [kind, its] of Map.groupBy(outcomes, ({ target }) => target.destination.kind)) {
    const metrics = metricsFor('target', kind);
    metrics.addMetric('EventsDelivered', 'Count', sum(its.map(({ delivered }) => delivered)));
    metrics.addMetric('EventsParked', 'Count', sum(its.map(({ parked }) => parked)));
    const ages = its.map(({ ageMs }) => ageMs).filter(isKnown);
    if (ages.length > 0) metrics.addMetric('EventAge', 'Milliseconds', Math.max(...ages));
    const waiting = its.map(({ target }) => oldestWaitingAge(target, now)).filter(isKnown);
    if (waiting.length > 0) metrics.addMetric('OldestParkedAge', 'Milliseconds', Math.max(...waiting));
    metrics.publishStoredMetrics();
  }
}

/** One log entry for each state. A target counts once, even if several of its lanes were served. */
function countTargets(outcomes: readonly Outcome[]): void {
  const targets = new Map(outcomes.map(({ target }) => [describeTarget(target), target]));
  for (const [state, its] of Map.groupBy(targets.values(), (target) => target.state)) {
    const metrics = metricsFor('state', state);
    metrics.addMetric('TargetsSeen', 'Count', its.length);
    metrics.publishStoredMetrics();
  }
}

/** Measures a batch: what became of its events, how long others wait, and in which states its targets were. */
export function countOutcomes(outcomes: readonly Outcome[], now = Date.now()): void {
  countEvents(outcomes, now);
  countTargets(outcomes);
}
