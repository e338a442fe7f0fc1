import { describe, expect, test } from '@jest/globals';
import {
  deliveryPolicy,
  deliveryRoleOf,
  deliveryRolePathOf,
  deliveryTrustPolicy,
} from '../../../../../core/export/kinds/policies/operator-roles.ts';
import { isAllowed } from './policy-evaluation.ts';
import {
  bucket,
  deliveryRoleArn,
  exporter,
  granted,
  kmsKeyArn,
  operator,
  redelivery,
  tenantId,
  verifier,
} from './agreed.ts';

describe("the operator's delivery role", () => {
  test('exists once for each tenant, with a stable name, under a path of its stage', () => {
    expect(deliveryRoleOf(operator, tenantId)).toEqual({
      path: '/omi/production/delivery/',
      name: `omi-production-delivery-${tenantId}`,
      arn: `arn:aws:iam::000000000000:role/omi/production/delivery/omi-production-delivery-${tenantId}`,
    });
    expect(deliveryRoleOf(operator, tenantId.toUpperCase()).arn).toBe(deliveryRoleArn);
    expect(deliveryRoleOf({ ...operator, partition: 'aws-cn' }, tenantId).arn).toMatch(/^arn:aws-cn:iam::/);
  });

  test('has a valid name for IAM with the longest stage', () => {
    const stage = 'a'.repeat(14);
    expect(deliveryRoleOf({ ...operator, stage }, tenantId).name).toHaveLength(64);
    expect(() => deliveryRoleOf({ ...operator, stage: `${stage}a` }, tenantId)).toThrow('stage');
  });

  test.each(['../x', 'a/b', '*', '', 'dev*', 'Dev'])('has no path for the stage %j', (stage) => {
    expect(() => deliveryRolePathOf(stage)).toThrow('stage');
  });

  test.each(['*', '', 'tenant', `${tenantId}/../x`, `${tenantId}\n`])(
    'has no name for the tenant %j',
    (id) => {
      expect(() => deliveryRoleOf(operator, id)).toThrow();
    },
  );

  test('can be assumed only by Firehose on behalf of this account', () => {
    const assume = (caller: string, account: string) =>
      isAllowed(deliveryTrustPolicy(operator), {
        caller,
        action: 'sts:AssumeRole',
        context: { 'sts:ExternalId': account },
      });
    expect(assume('firehose.amazonaws.com', '000000000000')).toBe(true);
    expect(assume('firehose.amazonaws.com', '111122223333')).toBe(false);
    expect(assume('lambda.amazonaws.com', '000000000000')).toBe(false);
    expect(() => deliveryTrustPolicy({ ...operator, account: '*' })).toThrow('12 digits');
  });

  test('can be assumed by the Lambda that tests trust, and by no other', () => {
    const assume = (caller: string) =>
      isAllowed(deliveryTrustPolicy(operator), { caller, action: 'sts:AssumeRole' });
    expect(assume(verifier)).toBe(true);
    for (const other of [exporter, redelivery, verifier.replace('production', 'dev')])
      expect(assume(other)).toBe(false);
  });

  const target = { bucket: 'tenant-events', kmsKeyArn, bucketOwner: '111122223333' };

  test('may do in the bucket what the bucket policy allows, and likewise with the key', () => {
    expect(granted(deliveryPolicy(target))).toEqual([
      ...granted(bucket().bucketPolicy),
      [['kms:GenerateDataKey', 'kms:Decrypt'], kmsKeyArn],
    ]);
    expect(granted(deliveryPolicy({ bucket: 'tenant-events' }))).toEqual(granted(bucket().bucketPolicy));
  });

  test('cannot write to a bucket whose name another account took over', () => {
    const put = (owner: string) =>
      isAllowed(deliveryPolicy(target), {
        caller: deliveryRoleArn,
        action: 's3:PutObject',
        resource: 'arn:aws:s3:::tenant-events/1',
        context: { 'aws:ResourceAccount': owner },
      });
    expect(put('111122223333')).toBe(true);
    expect(put('444455556666')).toBe(false);
  });

  test.each(['*', 'tenant-*', 'a/../b', '${aws:username}', 'Tenant', 'x"y'])(
    'is not given the bucket %j',
    (name) => {
      expect(() => deliveryPolicy({ bucket: name })).toThrow();
    },
  );
});
