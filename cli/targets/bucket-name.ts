import * as v from 'valibot';
import { destination } from '../../core/export/targets/target.ts';

const [, { entries: bucket }] = destination.options;
const { requirement: characters } = bucket.bucket.pipe[1];

/** Kept for names that are no bucket of one's own: aliases, access points, buckets of other kinds. */
const reservedStart = /^(?:xn--|sthree-|amzn-s3-demo-)/;
const reservedEnd = /(?:-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/;
const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * What a bucket may be called ("General purpose bucket naming rules" in S3's guide,
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html).
 */
export const bucketName = v.pipe(
  v.string(),
  v.regex(characters, 'expected 3 to 63 characters of a-z 0-9 . -, a letter or digit at both ends'),
  v.check((name) => !name.includes('..'), 'a bucket has no two dots beside each other'),
  v.check((name) => !ipAddress.test(name), 'a bucket is not called like an IP address'),
  v.check((name) => !reservedStart.test(name) && !reservedEnd.test(name), 'S3 keeps such names for itself'),
);
