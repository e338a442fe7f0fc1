import { ExpiryQueue } from '../../core/adapters/expiry-queue.ts';
import { sqsClient } from '../../core/adapters/sqs.ts';
import { batchLambda } from '../../core/batch-lambda.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const { EXPIRY_QUEUE_URL } = parseEnvironment(environment, process.env);

export const handler = batchLambda(createHandler({ queue: new ExpiryQueue(sqsClient(), EXPIRY_QUEUE_URL) }));
