import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { routes } from '../../lambdas/routes.ts';
import { runbook } from '../alarms.ts';
import { ownNamespace, type ServiceFunction } from './service-function.ts';

/** The duration of a canary's first step. CloudWatch evaluates the last period each minute. */
const period = Duration.minutes(5);

/** Below these numbers a percentage means little: one fault in two calls is no reason to roll back. */
const fewestCalls = 5;
const fewestFaults = 3;
/** Percent of the calls. */
const mostFaults = 10;

/** Filters for log lines of `core/kernel/observability.ts`, by the metric that counts the lines. */
const filters = {
  /** Faults of the code or its deployment, whether the call failed or was answered. */
  Faults: '{ $.level = "ERROR" && $.fault.origin = "service" }',
  /** Calls that failed because of another service. Lambda counts them as errors, but the new version did not cause them. */
  DependencyFaults:
    '{ $.level = "ERROR" && $.fault.origin = "dependency" && ($.message = "failed" || $.message = "fault") }',
};

export type ReleaseAlarmProps = { lambda: ServiceFunction; stage: string };

/**
 * Rings only for faults of the new version of a Lambda. Faults of the previous version, invalid calls and failures of other
 * services do not count.
 */
export class ReleaseAlarm extends Construct {
  readonly alarm: Alarm;
  readonly #lambda: ServiceFunction;
  readonly #stage: string;

  constructor(scope: Construct, id: string, { lambda, stage }: ReleaseAlarmProps) {
    super(scope, id);
    this.#lambda = lambda;
    this.#stage = stage;
    const share = new MathExpression({
      expression: `IF(calls >= ${fewestCalls} AND failed >= ${fewestFaults}, 100 * failed / calls, 0)`,
      usingMetrics: { calls: this.#ofLambda('Invocations'), failed: this.#failed() },
      label: 'Percent of the calls that failed',
      period,
    });
    this.alarm = share.createAlarm(this, 'Alarm', {
      alarmDescription: runbook(
        `The new version of the Lambda ${lambda.name} fails; its deployment rolls back.`,
        'a-new-version-fails',
      ),
      threshold: mostFaults,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  /** Faults in the log, and errors that only Lambda sees: a failed start, a timeout, or too little memory. */
  #failed(): IMetric {
    const usingMetrics = { faults: this.#counted('Faults'), errors: this.#ofLambda('Errors') };
    // A Lambda of the API answers unexpected errors, so errors that Lambda counts are not in the log.
    if (routes.some((route) => route.lambda === this.#lambda.name))
      return new MathExpression({ expression: 'FILL(faults, 0) + FILL(errors, 0)', usingMetrics, period });
    const unexplained = 'FILL(errors, 0) - FILL(excused, 0)';
    return new MathExpression({
      // Other Lambdas throw, so Lambda also counts most of the logged faults.
      expression: `IF(FILL(faults, 0) > ${unexplained}, FILL(faults, 0), ${unexplained})`,
      usingMetrics: { ...usingMetrics, excused: this.#counted('DependencyFaults') },
      period,
    });
  }

  #ofLambda(metricName: string): Metric {
    const dimensionsMap = { ...this.#lambda.liveDimensions, ExecutedVersion: this.#lambda.newVersion };
    return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic: Stats.SUM, period });
  }

  #counted(metricName: keyof typeof filters): Metric {
    const filter = new MetricFilter(this, metricName, {
      logGroup: this.#lambda.logGroup,
      filterPattern: FilterPattern.literal(filters[metricName]),
      metricNamespace: ownNamespace,
      metricName,
      metricValue: '1',
      dimensions: { stage: '$.fault.stage', function: '$.function_name', version: '$.fault.version' },
    });
    return filter.metric({
      dimensionsMap: {
        stage: this.#stage,
        function: this.#lambda.functionName,
        version: this.#lambda.newVersion,
      },
      statistic: Stats.SUM,
      period,
    });
  }
}
