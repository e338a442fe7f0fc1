import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { LastTestStore } from '../../core/export/targets/last-test-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = jsonLambda(
  createHandler({
    targets: new TargetStore(client, env.TENANTS_TABLE),
    lastTests: new LastTestStore(client, env.TENANTS_TABLE),
    queue: new VerificationQueue(sqsClient(), env.VERIFICATIONS_QUEUE_URL),
    log: staffLog(client, env),
    view: viewForTenant(env),
  }),
  { isOptional: true },
);
