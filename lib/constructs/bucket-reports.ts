import { NestedStack } from 'aws-cdk-lib';
import { FilterPattern, LogGroup, LogStream, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import type { Construct } from 'constructs';
import { logSubscriptions, type SubscribedLambda } from '../../lambdas/event-sources.ts';
import { errorLogGroupOf, errorLogStream } from '../../core/export/provisioning/delivery-stream.ts';
import type { LogSettings, ServiceFunction } from './service-function.ts';

export type BucketReportsProps = { stage: string; logs: LogSettings };

const lambdas: ReadonlySet<string> = new Set([
  'watch-buckets',
  ...logSubscriptions.map(({ lambda }) => lambda),
]);

/** What Firehose reports of tenants' buckets: the log of its errors, and the Lambdas that read it and its metrics. */
export class BucketReports extends NestedStack {
  readonly #log: LogGroup;

  constructor(scope: Construct, id: string, { stage, logs }: BucketReportsProps) {
    super(scope, id, { description: "OMI: what Firehose reports of tenants' buckets" });
    const logGroupName = errorLogGroupOf(`omi-${stage}-`);
    this.#log = new LogGroup(this, 'DeliveryLog', { ...logs, logGroupName });
    // Firehose does not create it.
    new LogStream(this, 'Errors', { logGroup: this.#log, logStreamName: errorLogStream });
  }

  /** True if the Lambda is in this stack. */
  has(name: string): boolean {
    return lambdas.has(name);
  }

  /** Has the log's entries sent to the Lambdas of the table. */
  connect(all: Record<SubscribedLambda, ServiceFunction>): void {
    for (const { lambda } of logSubscriptions)
      new SubscriptionFilter(all[lambda], 'Subscription', {
        logGroup: this.#log,
        destination: new LambdaDestination(all[lambda].callable),
        filterPattern: FilterPattern.allEvents(),
      });
  }
}
