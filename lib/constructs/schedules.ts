import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { type ScheduledLambda, schedules } from '../../lambdas/event-sources.ts';
import type { ServiceFunction } from './service-function.ts';

/** Has each Lambda of the table called by the clock. */
export function callBySchedule(lambdas: Record<ScheduledLambda, ServiceFunction>): void {
  for (const { lambda: name, every } of schedules) {
    const lambda = lambdas[name];
    new Rule(lambda, 'Schedule', {
      schedule: Schedule.rate(periods[every]),
      targets: [new LambdaFunction(lambda.callable, { retryAttempts: 2, maxEventAge: Duration.hours(2) })],
    });
  }
}

const periods = { day: Duration.days(1), 'five-minutes': Duration.minutes(5) };
