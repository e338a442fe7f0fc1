import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

/** Without attempts of its own: who sends batches repeats what failed of them, by itself or by coming again. */
export const sqsClient = (): SQSClient =>
  new SQSClient({ maxAttempts: 1, requestHandler: new NodeHttpHandler(timeLimits) });
