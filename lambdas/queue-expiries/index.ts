import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { ExpiryQueue } from '../../core/confirmations/expiry-queue.ts';
import { WaitingExpiryStore } from '../../core/confirmations/waiting-expiry-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = scheduledLambda(
  createHandler({
    waiting: new WaitingExpiryStore(documentClient(), env.EXPIRIES_TABLE),
    queue: new ExpiryQueue(sqsClient(), env.EXPIRY_QUEUE_URL),
  }),
);
