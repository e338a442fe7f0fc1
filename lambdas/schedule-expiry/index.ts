import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { CallbackQueue } from '../../core/callbacks/callback-queue.ts';
import { ExpiryQueue } from '../../core/confirmations/expiry-queue.ts';
import { ExpirySchedule } from '../../core/confirmations/expiry-schedule.ts';
import { WaitingExpiryStore } from '../../core/confirmations/waiting-expiry-store.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const sqs = sqsClient();

export const handler = batchLambda(
  createHandler({
    schedule: new ExpirySchedule(
      new ExpiryQueue(sqs, env.EXPIRY_QUEUE_URL),
      new WaitingExpiryStore(documentClient(), env.EXPIRIES_TABLE),
    ),
    callbacks: new CallbackQueue(sqs, env.CALLBACKS_QUEUE_URL),
  }),
);
