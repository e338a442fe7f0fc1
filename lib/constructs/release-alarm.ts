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

/** As long as the first step of a canary. CloudWatch looks each minute at the minutes before. */
const period = Duration.minutes(5);

/** Below these a share says nothing: one fault of a call or two is no reason to go back. */
const fewestCalls = 5;
const fewestFaults = 3;
/** Percent of the calls. */
const mostFaults = 10;

/** Log lines of `core/kernel/observability.ts` by the metric that counts them. */
const filters = {
  /** A fault of the code or of its deployment, whether the call failed by it or was answered. */
  Faults: '{ $.level = "ERROR" && $.fault.origin = "service" }',
  /** Calls that failed for a service that we use: among the errors that Lambda counts, but nobody's fault here. */
  DependencyFaults:
    '{ $.level = "ERROR" && $.fault.origin = "dependency" && ($.message = "failed" || $.message = "fault") }',
};

export type ReleaseAlarmProps = { lambda: ServiceFunction; stage: string };

/**
 * Rings for faults of the version that a deployment brings, and for nothing else: the version before, what callers send
 * and trouble of a service that we use do not count.
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

  /** What the log tells; and what only Lambda knows: a start that failed, a time or memory that ran out. */
  #failed(): IMetric {
    const usingMetrics = { faults: this.#counted('Faults'), errors: this.#ofLambda('Errors') };
    // A Lambda of the API answers what it did not expect, so an error is never one of the lines.
    if (routes.some((route) => route.lambda === this.#lambda.name))
      return new MathExpression({ expression: 'FILL(faults, 0) + FILL(errors, 0)', usingMetrics, period });
    const unexcused = 'FILL(errors, 0) - FILL(excused, 0)';
    return new MathExpression({
      // The others throw: most of their lines are among the errors.
      expression: `IF(FILL(faults, 0) > ${unexcused}, FILL(faults, 0), ${unexcused})`,
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
        function: this.#lambda.function.functionName,
        version: this.#lambda.newVersion,
      },
      statistic: Stats.SUM,
      period,
    });
  }
}
