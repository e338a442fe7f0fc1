import { Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { IEventSourceDlq } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { retention } from '../../core/kernel/retention.ts';
import type { ServiceFunction } from './service-function.ts';

export type FailedRecordsProps = { removalPolicy: RemovalPolicy };

/** Lambda writes whole records of a stream here if a function failed on them for too long. A queue would get only metadata. */
export class FailedRecords extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, { removalPolicy }: FailedRecordsProps) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // The events table keeps the events of these records for the same time.
      lifecycleRules: [{ expiration: Duration.millis(retention.failedRecord) }],
      removalPolicy,
    });
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only Lambda writes here, and only failed records. Nobody would read an access log.',
    });
  }

  /** Lambda writes with the function's own permissions. */
  take(lambda: ServiceFunction): IEventSourceDlq {
    const { bucketArn } = this.#bucket;
    lambda.allow(['s3:PutObject'], [this.#bucket.arnForObjects('*')]);
    lambda.allow(['s3:ListBucket'], [bucketArn]);
    Validations.of(lambda).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${this.#logicalId}.Arn>/*]`,
      reason: 'Lambda names the objects by mapping, shard and time. The bucket contains nothing else.',
    });
    return { bind: () => ({ destination: bucketArn }) };
  }

  /** cdk-nag writes the bucket's ARN with it. */
  get #logicalId(): string {
    return Stack.of(this).getLogicalId(this.#bucket.node.defaultChild as CfnBucket);
  }
}
