import * as v from 'valibot';
import { iamRoleArn, kmsKeyArn } from '../record-fields.ts';
import type { KindProperties } from '../kind-properties.ts';
import { targetNames } from '../target-names.ts';

export const bucketNameCharacters = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export const bucketDestination = v.object({
  kind: v.literal('bucket'),
  /** General-purpose buckets' names: "Bucket naming rules" in S3's guide. */
  bucket: v.pipe(v.string(), v.regex(bucketNameCharacters)),
  /** The tenant's key, in the bucket's region. */
  kmsKeyArn: v.optional(kmsKeyArn),
  /** The bucket's account, if it is not the key's account. */
  bucketOwner: v.optional(v.pipe(v.string(), v.regex(/^\d{12}$/))),
  /** The operator's role for this tenant, which Firehose assumes. */
  deliveryRoleArn: iamRoleArn,
  /** The service's own Firehose stream that writes into the bucket. */
  deliveryStreamName: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_.-]{1,64}$/)),
});

export type BucketDestination = v.InferOutput<typeof bucketDestination>;

export const isBucket = (given: { kind: string }): given is BucketDestination => given.kind === 'bucket';

/** Objects in a bucket have no order. */
export const bucketProperties: KindProperties = {
  lineEnd: '\n',
  isOrdered: targetNames.bucket.isOrdered,
  isBuffered: true,
  isSigned: false,
};
