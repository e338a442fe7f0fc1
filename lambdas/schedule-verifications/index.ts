import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { TENANTS_TABLE, VERIFICATIONS_QUEUE_URL } = parseEnvironment(environment, process.env);

export const handler = scheduledLambda(
  createHandler({
    targets: new TargetStore(documentClient(), TENANTS_TABLE),
    queue: new VerificationQueue(sqsClient(), VERIFICATIONS_QUEUE_URL),
  }),
);
