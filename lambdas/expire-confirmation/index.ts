import { documentClient } from '../../core/adapters/dynamodb.ts';
import { ExpiryQueue } from '../../core/adapters/expiry-queue.ts';
import { sqsClient } from '../../core/adapters/sqs.ts';
import { batchLambda } from '../../core/batch-lambda.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { confirmationDeps } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = batchLambda(
  createHandler({
    ...confirmationDeps(documentClient(), env),
    queue: new ExpiryQueue(sqsClient(), env.EXPIRY_QUEUE_URL),
  }),
);
