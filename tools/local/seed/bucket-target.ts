import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { deliveryStreamNameOf } from '../../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import {
  deliveryPolicy,
  deliveryRoleOf,
  deliveryTrustPolicy,
} from '../../../core/export/kinds/policies/operator-roles.ts';
import { accountId } from '../aws/identity.ts';
import { deliveryStreamPrefix, stage } from '../resources/exports.ts';
import { accessAs, type Aws, using } from './aws-access.ts';
import { ensureRole } from './role.ts';

export type BucketTarget = TargetRef & {
  /** The tenant's account. */
  account: string;
  bucket: string;
  /** The tenant's KMS key. There is no local KMS, so any UUID works. */
  keyId: string;
};

/**
 * Creates the tenant's bucket, and the operator's delivery role for the tenant. The S3 emulator has no bucket policies, so
 * the tenant's side of the trust is missing.
 */
export async function makeBucketTarget(aws: Aws, target: BucketTarget): Promise<BucketDestination> {
  const { account, bucket, keyId, tenantId } = target;
  const kmsKeyArn = `arn:aws:kms:${aws.region}:${account}:key/${keyId}`;
  const operator = { stage, region: aws.region, account: accountId };
  const role = deliveryRoleOf(operator, tenantId);
  const [trustPolicy, permissionPolicy] = [
    deliveryTrustPolicy(operator),
    deliveryPolicy({ bucket, kmsKeyArn }),
  ];
  await Promise.all([
    // A tenant's buckets share the role, with a policy for each category.
    ensureRole(aws, accountId, { ...role, trustPolicy, permissionPolicy, policyName: target.category }),
    using(new S3Client({ ...accessAs(account, aws, 's3'), forcePathStyle: true }), async (client) => {
      await ensureBucket(client, bucket);
    }),
  ]);
  const deliveryStreamName = deliveryStreamNameOf(deliveryStreamPrefix, target);
  return { kind: 'bucket', bucket, kmsKeyArn, deliveryRoleArn: role.arn, deliveryStreamName };
}

async function ensureBucket(client: S3Client, Bucket: string): Promise<void> {
  await client.send(new CreateBucketCommand({ Bucket })).catch((error: unknown) => {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  });
}
