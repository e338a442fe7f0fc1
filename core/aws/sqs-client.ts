import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

/** One attempt: callers repeat the failed part of a batch, or are called again. */
export const sqsClient = (): SQSClient =>
  new SQSClient({ maxAttempts: 1, requestHandler: new NodeHttpHandler(timeLimits) });
