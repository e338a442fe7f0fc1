import { describe, expect, test } from '@jest/globals';
import { deliveryRoleArnOf } from '../../../../../core/export/kinds/policies/operator-roles.ts';
import { isAllowed } from './policy-evaluation.ts';
import { bucket, deliveryRoleArn, exporter, granted, kmsKeyArn, operator, tenantId } from './agreed.ts';

describe("the tenant's bucket", () => {
  const bucketArn = 'arn:aws:s3:::tenant-events';
  const tls = { 'aws:SecureTransport': 'true' };
  const put = (caller: string, context: Record<string, string> = tls) =>
    isAllowed(bucket().bucketPolicy, {
      caller,
      action: 's3:PutObject',
      resource: `${bucketArn}/2026/11/21/12/log/1`,
      context,
    });

  test('allows the delivery role what Firehose documents for a bucket of another account', () => {
    expect(granted(bucket().bucketPolicy)).toEqual([
      [['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'], bucketArn],
      [['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject', 's3:PutObjectAcl'], `${bucketArn}/*`],
    ]);
    expect(put(deliveryRoleArn)).toBe(true);
  });

  test.each([
    ["another tenant's delivery role", deliveryRoleArnOf(operator, tenantId.replace('0197', '0198'))],
    ["the operator's exporter", exporter],
    ['a role of that name in another account', deliveryRoleArn.replace('000000000000', '444455556666')],
  ])('does not let %s write', (_, caller) => {
    expect(put(caller)).toBe(false);
  });

  test('refuses everybody without TLS', () => {
    expect(put(deliveryRoleArn, { 'aws:SecureTransport': 'false' })).toBe(false);
  });

  test('has a key that the delivery role uses only through S3, in its region and for this bucket', () => {
    const use = (context: Record<string, string>, action = 'kms:GenerateDataKey', caller = deliveryRoleArn) =>
      isAllowed(bucket().keyPolicy.document, { caller, action, resource: kmsKeyArn, context });
    const usual = {
      'kms:ViaService': 's3.eu-central-1.amazonaws.com',
      'kms:EncryptionContext:aws:s3:arn': bucketArn,
    };
    expect(use(usual)).toBe(true);
    expect(use(usual, 'kms:Decrypt')).toBe(true);
    expect(use({ ...usual, 'kms:EncryptionContext:aws:s3:arn': `${bucketArn}/without-bucket-key` })).toBe(
      true,
    );
    expect(use({ ...usual, 'kms:EncryptionContext:aws:s3:arn': `${bucketArn}-2` })).toBe(false);
    expect(use({ ...usual, 'kms:ViaService': 's3.us-east-1.amazonaws.com' })).toBe(false);
    expect(use({})).toBe(false);
    expect(use(usual, 'kms:Encrypt')).toBe(false);
    expect(use(usual, 'kms:GenerateDataKey', exporter)).toBe(false);
  });

  test('leaves the control of the key to its owner', () => {
    const admin = { caller: 'arn:aws:iam::111122223333:role/admin', action: 'kms:PutKeyPolicy' };
    expect(isAllowed(bucket().keyPolicy.document, { ...admin, resource: kmsKeyArn })).toBe(true);
  });
});
