import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { CallbackQueue } from '../../core/callbacks/callback-queue.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { callbackDeps } from '../../core/lambda/callback-wiring.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const sqs = sqsClient();

export const handler = batchLambda(
  createHandler({
    ...callbackDeps(documentClient(), env),
    queue: new CallbackQueue(sqs, env.CALLBACKS_QUEUE_URL),
    retries: new CallbackQueue(sqs, env.RETRIES_QUEUE_URL),
  }),
);
