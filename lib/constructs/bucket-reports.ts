import { RemovalPolicy } from 'aws-cdk-lib';
import {
  FilterPattern,
  LogGroup,
  LogStream,
  type RetentionDays,
  SubscriptionFilter,
} from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import { logSubscriptions, type SubscribedLambda } from '../../lambdas/event-sources.ts';
import {
  errorLogGroupOf,
  errorLogStream,
} from '../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { ServiceFunction } from './service-function.ts';

export type BucketReportsProps = { stage: string; retention: RetentionDays };

/**
 * What Firehose reports of tenants' buckets: the log of its errors. It is deleted with the stack, because a new stack needs the name,
 * and what it said is in the records of the targets.
 */
export class BucketReports extends Construct {
  readonly #log: LogGroup;

  constructor(scope: Construct, id: string, { stage, retention }: BucketReportsProps) {
    super(scope, id);
    const logGroupName = errorLogGroupOf(`omi-${stage}-`);
    const removalPolicy = RemovalPolicy.DESTROY;
    this.#log = new LogGroup(this, 'DeliveryLog', { retention, removalPolicy, logGroupName });
    // Firehose does not create it.
    new LogStream(this, 'Errors', { logGroup: this.#log, logStreamName: errorLogStream, removalPolicy });
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
