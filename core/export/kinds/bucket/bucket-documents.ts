/** The policies for a tenant's bucket, made from what was agreed. */
import * as v from 'valibot';
import type { Target } from '../../targets/target.ts';
import { bucketArnOf, parseArn } from '../policies/arn.ts';
import { isOneKey, keyPolicy, oneKey, rootOf, type KeyPolicy } from '../policies/key-documents.ts';
import { deliveryRoleArnOf, type Operator } from '../policies/operator-roles.ts';
import type { PolicyDocument } from '../policies/policy-document.ts';
import { kmsKeyArn } from '../record-fields.ts';
import { bucketKeyGrant, bucketPolicy } from './bucket-policies.ts';
import { bucketDestination, type BucketDestination } from './record.ts';

export const bucketTarget = v.pipe(
  v.strictObject({
    kind: v.literal('bucket'),
    bucket: bucketDestination.entries.bucket,
    /** In the bucket's region. */
    kmsKeyArn: v.optional(kmsKeyArn),
    /** Where the key will be that does not exist yet. */
    newKey: v.optional(
      v.strictObject({
        account: v.pipe(v.string(), v.regex(/^\d{12}$/, 'expected the 12 digits of an AWS account')),
        region: v.pipe(v.string(), v.regex(/^[a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}$/, 'expected an AWS region')),
      }),
    ),
    deliveryRoleArn: bucketDestination.entries.deliveryRoleArn,
  }),
  v.check((of) => isOneKey(of), oneKey),
  v.check(({ kmsKeyArn: key, newKey }) => (key ?? newKey) !== undefined, 'expected a key of the tenant'),
);

export type BucketDocuments = { bucket: string; bucketPolicy: PolicyDocument; keyPolicy: KeyPolicy };

/** @throws {v.ValiError} */
export function bucketDocuments(input: v.InferInput<typeof bucketTarget>): BucketDocuments {
  const of = v.parse(bucketTarget, input);
  const { deliveryRoleArn, kmsKeyArn: key = '', newKey } = of;
  const { region, partition, account } = newKey
    ? { ...newKey, partition: parseArn(deliveryRoleArn).partition }
    : parseArn(key);
  const bucketArn = bucketArnOf(partition, of.bucket);
  const delivery = { bucketArn, deliveryRoleArn, operatorRoot: rootOf(deliveryRoleArn) };
  return {
    bucket: of.bucket,
    bucketPolicy: bucketPolicy(delivery),
    keyPolicy: keyPolicy(newKey ? { partition, account } : key, bucketKeyGrant({ ...delivery, region })),
  };
}

/** The delivery role is the one of the tenant, whatever the record says. */
export function agreedBucket(
  { tenantId, destination: { kind, bucket, kmsKeyArn } }: Target & { destination: BucketDestination },
  operator: Operator,
) {
  if (kmsKeyArn === undefined) return undefined;
  return { kind, bucket, kmsKeyArn, deliveryRoleArn: deliveryRoleArnOf(operator, tenantId) };
}
