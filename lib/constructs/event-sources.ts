import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, FilterCriteria, MetricType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import {
  type EventSource,
  type EventSourceLambda,
  eventSources,
  type QueueSource,
  type ScheduledLambda,
  schedules,
  type StreamSource,
} from '../../lambdas/event-sources.ts';
import type { FilterPattern } from '../../lambdas/filter-pattern.ts';
import type { Data } from './data.ts';
import type { FailedRecords } from './failed-records.ts';
import type { Queues } from './queues.ts';
import type { ServiceFunction } from './service-function.ts';

export type EventSourcesProps = { data: Data; queues: Queues; failedRecords: FailedRecords };

/** Connects each Lambda of the table to its stream or queue. @returns the mappings by the Lambda's name */
export function connectEventSources(
  lambdas: Record<EventSourceLambda, ServiceFunction>,
  { data, queues, failedRecords }: EventSourcesProps,
): Record<EventSourceLambda, EventSourceMapping> {
  const connect = (source: EventSource & { lambda: EventSourceLambda }) => {
    const lambda = lambdas[source.lambda];
    const settings =
      'stream' in source
        ? {
            ...ofStream(source, failedRecords.take(lambda)),
            eventSourceArn: data.feed(lambda, source.stream).streamArn,
          }
        : { ...ofQueue(source), eventSourceArn: queues.feed(lambda, source.queue).queueArn };
    return new EventSourceMapping(lambda, 'EventSource', {
      ...settings,
      target: lambda.callable,
      batchSize: source.batchSize,
      reportBatchItemFailures: true,
    });
  };
  return Object.fromEntries(eventSources.map((source) => [source.lambda, connect(source)])) as Record<
    EventSourceLambda,
    EventSourceMapping
  >;
}

const ofStream = (
  { filters, maxAgeHours, windowSeconds }: StreamSource,
  onFailure: ReturnType<FailedRecords['take']>,
) => ({
  // The position LATEST could miss records that are written while the mapping is created.
  startingPosition: StartingPosition.TRIM_HORIZON,
  filters: filters.map((pattern: FilterPattern) => FilterCriteria.filter(pattern)),
  // Limits the time, not the attempts. Bisecting separates a bad record from the good ones around it.
  maxRecordAge: Duration.hours(maxAgeHours),
  ...(windowSeconds !== undefined && { maxBatchingWindow: Duration.seconds(windowSeconds) }),
  bisectBatchOnError: true,
  onFailure,
  // Includes the number of records that Lambda gave up.
  metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
});

const ofQueue = ({ maxConcurrency }: QueueSource) => ({ maxConcurrency });

/** Schedules each Lambda of the table. */
export function callBySchedule(lambdas: Record<ScheduledLambda, ServiceFunction>): void {
  for (const { lambda: name, every } of schedules) {
    const lambda = lambdas[name];
    new Rule(lambda, 'Schedule', {
      schedule: Schedule.rate(periods[every]),
      targets: [new LambdaFunction(lambda.callable, { retryAttempts: 2, maxEventAge: Duration.hours(2) })],
    });
  }
}

const periods = { day: Duration.days(1), 'five-minutes': Duration.minutes(5), minute: Duration.minutes(1) };
