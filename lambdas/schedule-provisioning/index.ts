import { ProvisioningQueue } from '../../core/adapters/provisioning-queue.ts';
import { sqsClient } from '../../core/adapters/sqs.ts';
import { batchLambda } from '../../core/batch-lambda.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const { PROVISIONING_QUEUE_URL } = parseEnvironment(environment, process.env);

export const handler = batchLambda(
  createHandler({ queue: new ProvisioningQueue(sqsClient(), PROVISIONING_QUEUE_URL) }),
);
