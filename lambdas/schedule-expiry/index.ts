import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ExpiryQueue } from '../../core/confirmations/expiry-queue.ts';
import { ExpirySchedule } from '../../core/confirmations/expiry-schedule.ts';
import { WaitingExpiryStore } from '../../core/confirmations/waiting-expiry-store.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const { EXPIRIES_TABLE, EXPIRY_QUEUE_URL } = parseEnvironment(environment, process.env);

export const handler = batchLambda(
  createHandler({
    schedule: new ExpirySchedule(
      new ExpiryQueue(sqsClient(), EXPIRY_QUEUE_URL),
      new WaitingExpiryStore(documentClient(), EXPIRIES_TABLE),
    ),
  }),
);
