import { respond } from '../../core/lambda/custom-resource.ts';
import { AppBucketClient } from './app-bucket-client.ts';
import { appFilesIn } from './app-files.ts';
import { createHandler } from './handler.ts';
import { s3Client } from './s3-client.ts';

const client = s3Client();

export const handler = createHandler({
  files: appFilesIn(new URL('app/', import.meta.url)),
  bucketOf: (name) => new AppBucketClient(client, name),
  respond,
});
