import { Aws, CfnCondition, type CfnParameter, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { CfnBucket, CfnBucketPolicy } from 'aws-cdk-lib/aws-s3';
import type { CfnKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { accountRootOf, bucketArnOf } from '../../core/export/kinds/policies/arn.ts';
import { bucketKeyGrant, bucketPolicy } from '../../core/export/kinds/bucket/bucket-policies.ts';
import { addKey } from './keys.ts';
import { addParameters, nameOf, roleArnPattern } from './parameters.ts';
import { TenantStack } from './tenant-stack.ts';

/** The template for a tenant that wants its events in its own bucket. Key and bucket are in one region. */
export class BucketTargetStack extends TenantStack {
  constructor(scope: Construct, id: string) {
    super(scope, id, 'OMI event export: a bucket with its key, and policies that let OMI write into it.');
    const { DeliveryRoleArn, BucketName, RetentionDays } = addParameters(this, parameters);
    const name = nameOf(this, BucketName);
    const deliveryRoleArn = DeliveryRoleArn.valueAsString;
    const operatorRoot = accountRootOf({
      partition: Aws.PARTITION,
      account: Fn.select(4, Fn.split(':', deliveryRoleArn)),
    });

    const key = addKey(this, {
      description: 'Encrypts the events of the bucket.',
      grant: bucketKeyGrant({
        bucketArn: bucketArnOf(Aws.PARTITION, name),
        operatorRoot,
        deliveryRoleArn,
        region: Aws.REGION,
      }),
    });
    const bucket = this.#addBucket(name, key, RetentionDays);
    new CfnBucketPolicy(this, 'BucketPolicy', {
      bucket: bucket.ref,
      policyDocument: bucketPolicy({ bucketArn: bucket.attrArn, operatorRoot, deliveryRoleArn }),
    });
    this.addOutputs({
      BucketName: ['The bucket, for the operator of OMI.', bucket.ref],
      KeyArn: ['The key, for the operator of OMI.', key.attrArn],
    });
  }

  #addBucket(bucketName: string, key: CfnKey, retentionDays: CfnParameter): CfnBucket {
    const isLimited = new CfnCondition(this, 'HasRetention', {
      expression: Fn.conditionNot(Fn.conditionEquals(retentionDays.valueAsString, '0')),
    });
    const expiry = {
      Id: 'end-of-retention',
      Status: 'Enabled',
      ExpirationInDays: retentionDays.valueAsNumber,
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    };
    const bucket = new CfnBucket(this, 'Bucket', {
      bucketName,
      versioningConfiguration: { status: 'Enabled' },
      publicAccessBlockConfiguration: {
        blockPublicAcls: true,
        blockPublicPolicy: true,
        ignorePublicAcls: true,
        restrictPublicBuckets: true,
      },
      // The bucket's owner owns the objects that OMI writes, whatever their ACL.
      ownershipControls: { rules: [{ objectOwnership: 'BucketOwnerEnforced' }] },
      bucketEncryption: {
        serverSideEncryptionConfiguration: [
          {
            serverSideEncryptionByDefault: { sseAlgorithm: 'aws:kms', kmsMasterKeyId: key.attrArn },
            bucketKeyEnabled: true,
          },
        ],
      },
      lifecycleConfiguration: {
        rules: [
          {
            id: 'unfinished-uploads',
            status: 'Enabled',
            abortIncompleteMultipartUpload: { daysAfterInitiation: 7 },
          },
          Fn.conditionIf(isLimited.logicalId, expiry, Aws.NO_VALUE),
        ],
      },
    });
    bucket.applyRemovalPolicy(RemovalPolicy.RETAIN);
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'The tenant decides whether and where reads are logged. The template creates no second bucket.',
    });
    return bucket;
  }
}

const parameters = {
  'From the operator of OMI': {
    DeliveryRoleArn: {
      label: 'Delivery role',
      description:
        "The operator's role that writes events into the bucket. It is only for your organisation.",
      allowedPattern: roleArnPattern,
      constraintDescription: 'Expected the ARN of a role.',
    },
  },
  'Your bucket': {
    BucketName: {
      label: 'Name',
      description: 'If empty, the name is made from the account and the stack.',
      default: '',
      allowedPattern: '^$|^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      constraintDescription: 'Expected 3 to 63 lower-case letters, digits, dots and hyphens.',
    },
    RetentionDays: {
      label: 'Retention in days',
      description: 'Events are deleted after this time. 0: never.',
      type: 'Number',
      default: 0,
      minValue: 0,
      maxValue: 36500,
    },
  },
};
