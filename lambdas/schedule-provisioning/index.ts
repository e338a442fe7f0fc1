import { ProvisioningQueue } from '../../core/export/kinds/bucket/provisioning/provisioning-queue.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { PROVISIONING_QUEUE_URL } = parseEnvironment(environment, process.env);

export const handler = batchLambda(
  createHandler({ queue: new ProvisioningQueue(sqsClient(), PROVISIONING_QUEUE_URL) }),
);
