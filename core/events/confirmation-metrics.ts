import { Metrics } from '@aws-lambda-powertools/metrics';
import type { CommittedEvent } from './event-stream.ts';
import { stage } from '../kernel/observability.ts';

/** The events of a confirmation's beginning and end. */
const outcomes: Readonly<Record<string, string>> = {
  PushNotificationSentEvent: 'sent',
  PushNotificationConfirmedEvent: 'confirmed',
  PushNotificationDeniedEvent: 'denied',
  PushNotificationExpiredEvent: 'expired',
  PushNotificationCancelledEvent: 'cancelled',
  PushNotificationFailedEvent: 'failed',
};

/** Outcomes that a user decided. */
const answered = ['confirmed', 'denied'];

const metrics = new Metrics({ defaultDimensions: { stage } });

type Counted = Pick<CommittedEvent, 'type' | 'took'>;

/**
 * Counts the outcomes of confirmations by their events, so that calls of users and websites do not pay for it. A batch that
 * comes again counts again.
 */
export function countConfirmations(events: readonly Counted[]): void {
  for (const [outcome, its] of Map.groupBy(events, ({ type }) => outcomes[type])) {
    if (outcome === undefined) continue;
    metrics.singleMetric().addDimension('outcome', outcome).addMetric('Confirmations', 'Count', its.length);
    if (answered.includes(outcome)) measureAnswers(its);
  }
}

function measureAnswers(events: readonly Counted[]): void {
  const times = events.flatMap(({ took }) => (took === undefined ? [] : [took]));
  if (times.length === 0) return;
  for (const time of times) metrics.addMetric('AnswerTime', 'Milliseconds', time);
  metrics.publishStoredMetrics();
}
