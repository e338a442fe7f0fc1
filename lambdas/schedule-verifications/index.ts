import { documentClient } from '../../core/adapters/dynamodb.ts';
import { sqsClient } from '../../core/adapters/sqs.ts';
import { scanTargets } from '../../core/adapters/target-scan.ts';
import { VerificationQueue } from '../../core/adapters/verification-queue.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { scheduledLambda } from '../../core/scheduled-lambda.ts';
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
