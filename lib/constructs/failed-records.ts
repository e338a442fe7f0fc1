import { Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { IEventSourceDlq } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { retention } from '../../core/kernel/retention.ts';
import { published } from './published.ts';
import type { ServiceFunction } from './service-function.ts';

export type FailedRecordsProps = { removalPolicy: RemovalPolicy };

/** Lambda writes whole records of a stream here if a function failed on them for too long. A queue would get only metadata. */
export class FailedRecords extends Construct {
  readonly #bucketArn: string;

  constructor(scope: Construct, id: string, { removalPolicy }: FailedRecordsProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // The events table keeps the events of these records for the same time.
      lifecycleRules: [{ expiration: Duration.millis(retention.failedRecord) }],
      removalPolicy,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only Lambda writes here, and only failed records. Nobody would read an access log.',
    });
    this.#bucketArn = published(this, 'FailedRecordsArn', bucket.bucketArn);
  }

  /** Lambda writes with the function's own permissions. */
  take(lambda: ServiceFunction): IEventSourceDlq {
    lambda.allow(['s3:PutObject'], [`${this.#bucketArn}/*`]);
    lambda.allow(['s3:ListBucket'], [this.#bucketArn]);
    Validations.of(lambda).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${JSON.stringify(Stack.of(this).resolve(this.#bucketArn))}/*]`,
      reason: 'Lambda names the objects by mapping, shard and time. The bucket contains nothing else.',
    });
    return { bind: () => ({ destination: this.#bucketArn }) };
  }
}
