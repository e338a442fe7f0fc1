import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

/** A Lambda that was frozen finds its connections closed, so a call is tried again. Callers repeat only what SQS refused of a batch. */
export const sqsClient = (): SQSClient =>
  new SQSClient({ maxAttempts: 3, requestHandler: new NodeHttpHandler(timeLimits) });
