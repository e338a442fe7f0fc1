import { ExpiryQueue } from '../../core/confirmations/expiry-queue.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const { EXPIRY_QUEUE_URL } = parseEnvironment(environment, process.env);

export const handler = batchLambda(createHandler({ queue: new ExpiryQueue(sqsClient(), EXPIRY_QUEUE_URL) }));
