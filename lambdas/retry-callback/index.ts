import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { CallbackQueue } from '../../core/callbacks/callback-queue.ts';
import { TurnStore } from '../../core/callbacks/turn-store.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { callbackDeps } from '../../core/lambda/callback-wiring.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = batchLambda(
  createHandler({
    ...callbackDeps(client, env),
    turns: new TurnStore(client, env.ATTEMPTS_TABLE),
    queue: new CallbackQueue(sqsClient(), env.RETRIES_QUEUE_URL),
  }),
);
