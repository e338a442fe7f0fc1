import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { scanTargets } from '../../core/export/targets/target-scan-store.ts';
import { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const { TENANTS_TABLE, VERIFICATIONS_QUEUE_URL } = parseEnvironment(environment, process.env);
const dynamodb = documentClient();

export const handler = scheduledLambda(
  createHandler({
    targets: () => scanTargets(dynamodb, TENANTS_TABLE),
    queue: new VerificationQueue(sqsClient(), VERIFICATIONS_QUEUE_URL),
  }),
);
