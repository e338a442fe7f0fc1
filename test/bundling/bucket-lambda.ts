/** Uses S3 as a Lambda of this service does. */
import { HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

export async function handler() {
  const Bucket = process.env['BUCKET'] ?? '';
  const client = new S3Client({ followRegionRedirects: true, forcePathStyle: Bucket.includes('.') });
  const { BucketRegion } = await client.send(new HeadBucketCommand({ Bucket }));
  await client.send(new PutObjectCommand({ Bucket, Key: 'omi/x.txt', Body: 'text\n' }));
  const refused = await client
    .send(new PutObjectCommand({ Bucket, Key: 'refused', Body: 'text\n' }))
    .catch((error: unknown) => (error instanceof Error ? [error.name, error.message] : error));
  return { BucketRegion, refused };
}
