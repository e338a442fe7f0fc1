import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ExpiryQueue } from '../../core/confirmations/expiry-queue.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { confirmationAndDeviceDeps } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = batchLambda(
  createHandler({
    ...confirmationAndDeviceDeps(documentClient(), env),
    baseUrl: env.BASE_URL,
    queue: new ExpiryQueue(sqsClient(), env.EXPIRY_QUEUE_URL),
  }),
);
