import { Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { IEventSourceDlq } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { retention } from '../../core/kernel/retention.ts';
import type { ServiceFunction } from './service-function.ts';

export type FailedRecordsProps = { removalPolicy: RemovalPolicy };

/** Where Lambda writes the records of a stream that a function never took: whole, unlike to a queue. */
export class FailedRecords extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, { removalPolicy }: FailedRecordsProps) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // As long as the events table keeps what the records tell of.
      lifecycleRules: [{ expiration: Duration.millis(retention.failedRecord) }],
      removalPolicy,
    });
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Lambda alone writes here, and only what failed; a bucket for the log of that would be read by nobody.',
    });
  }

  /** Lambda writes with the function's own permissions. */
  take(lambda: ServiceFunction): IEventSourceDlq {
    const { bucketArn } = this.#bucket;
    lambda.allow(['s3:PutObject'], [this.#bucket.arnForObjects('*')]);
    lambda.allow(['s3:ListBucket'], [bucketArn]);
    Validations.of(lambda).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${this.#logicalId}.Arn>/*]`,
      reason: 'Lambda names the objects by mapping, shard and time; there is nothing else in this bucket.',
    });
    return { bind: () => ({ destination: bucketArn }) };
  }

  /** As cdk-nag writes the bucket's ARN. */
  get #logicalId(): string {
    return Stack.of(this).getLogicalId(this.#bucket.node.defaultChild as CfnBucket);
  }
}
