import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ExpiryQueue } from '../../core/confirmations/expiry-queue.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { confirmationDeps } from '../../core/lambda/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = batchLambda(
  createHandler({
    ...confirmationDeps(documentClient(), env),
    queue: new ExpiryQueue(sqsClient(), env.EXPIRY_QUEUE_URL),
  }),
);
