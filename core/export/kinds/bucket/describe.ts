import { bucketOwnerOf } from '../policies/operator-roles.ts';
import type { BucketDestination } from './record.ts';

export const describeBucket = (destination: BucketDestination) => ({
  bucket: destination.bucket,
  'bucket owner': bucketOwnerOf(destination),
  key: destination.kmsKeyArn,
  'delivery role': destination.deliveryRoleArn,
  'delivery stream': destination.deliveryStreamName,
});
