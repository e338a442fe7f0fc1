import { KMSClient } from '@aws-sdk/client-kms';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

/** Every call to KMS may be repeated: none changes anything. So the SDK makes three attempts. */
export const kmsClient = (): KMSClient =>
  new KMSClient({ maxAttempts: 3, requestHandler: new NodeHttpHandler(timeLimits) });
