import { FilterPattern, LogGroup, LogStream, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import { logSubscriptions, type SubscribedLambda } from '../../lambdas/event-sources.ts';
import {
  errorLogGroupOf,
  errorLogStream,
} from '../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { LogSettings, ServiceFunction } from './service-function.ts';

export type BucketReportsProps = { stage: string; logs: LogSettings };

/** What Firehose reports of tenants' buckets: the log of its errors. */
export class BucketReports extends Construct {
  readonly #log: LogGroup;

  constructor(scope: Construct, id: string, { stage, logs }: BucketReportsProps) {
    super(scope, id);
    const logGroupName = errorLogGroupOf(`omi-${stage}-`);
    this.#log = new LogGroup(this, 'DeliveryLog', { ...logs, logGroupName });
    // Firehose does not create it.
    new LogStream(this, 'Errors', { logGroup: this.#log, logStreamName: errorLogStream });
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
