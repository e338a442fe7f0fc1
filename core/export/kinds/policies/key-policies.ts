import type { Statement } from './policy-document.ts';

/**
 * Leaves it to the account's own policies who administers the key: without this statement nobody could
 * ("Default key policy" in KMS's guide). In a key policy the resource `*` is the key itself.
 */
export const keyAdministration = (ownerRoot: string): Statement => ({
  Sid: 'AdministeredByItsAccount',
  Effect: 'Allow',
  Principal: { AWS: ownerRoot },
  Action: 'kms:*',
  Resource: '*',
});

/** Only through Kinesis, and only for the records of this stream. */
export const usedByStream = (streamArn: string, region: string) => ({
  StringEquals: {
    'kms:ViaService': `kinesis.${region}.amazonaws.com`,
    'kms:EncryptionContext:aws:kinesis:arn': streamArn,
  },
});

/**
 * Only through S3, and only for the objects of this bucket: S3 names the bucket where it has a bucket key, and the
 * object otherwise ("Encryption context" in S3's guide), hence the pattern.
 */
export const usedByBucket = (bucketArn: string, region: string) => ({
  StringEquals: { 'kms:ViaService': `s3.${region}.amazonaws.com` },
  StringLike: { 'kms:EncryptionContext:aws:s3:arn': [bucketArn, `${bucketArn}/*`] },
});
