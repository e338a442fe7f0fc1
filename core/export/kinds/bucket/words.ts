import type { TargetWords } from '../target-words.ts';

export const bucketWords: TargetWords = {
  title: 'S3 bucket',
  name: 'bucket',
  parts: { bucket: 'Bucket', bucketOwner: "Bucket's account", kmsKeyArn: 'Key' },
  isOrdered: false,
};
