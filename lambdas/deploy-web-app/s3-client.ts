import { S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

export const s3Client = (): S3Client => new S3Client({ requestHandler: new NodeHttpHandler(timeLimits) });
