import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { LastTestStore } from '../../core/export/targets/last-test-store.ts';
import { RequestLimitStore } from '../../core/export/targets/request-limit-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import { environment as schema } from './definition.ts';
import { createHandler } from './handler.ts';

const environment = parseEnvironment(schema, process.env);
const dynamodb = documentClient();
const { TENANTS_TABLE } = environment;

export const handler = jsonLambda(
  createHandler({
    targets: new TargetStore(dynamodb, TENANTS_TABLE),
    limits: new RequestLimitStore(dynamodb, TENANTS_TABLE),
    lastTests: new LastTestStore(dynamodb, TENANTS_TABLE),
    queue: new VerificationQueue(sqsClient(), environment.VERIFICATIONS_QUEUE_URL),
    view: viewForTenant(environment),
  }),
  { isOptional: true },
);
