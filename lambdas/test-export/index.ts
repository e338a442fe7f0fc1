import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { LastTestStore } from '../../core/export/targets/last-test-store.ts';
import { RequestLimitStore } from '../../core/export/targets/request-limit-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import * as v from 'valibot';
import { testByTenant } from '../../core/export/verification/test-by-tenant.ts';
import { exportPath, testBody } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const dynamodb = documentClient();
const { TENANTS_TABLE } = env;
const deps = {
  targets: new TargetStore(dynamodb, TENANTS_TABLE),
  limits: new RequestLimitStore(dynamodb, TENANTS_TABLE),
  lastTests: new LastTestStore(dynamodb, TENANTS_TABLE),
  queue: new VerificationQueue(sqsClient(), env.VERIFICATIONS_QUEUE_URL),
};
const view = viewForTenant(env);

const request = v.object({ path: exportPath, body: testBody });

export const handler = jsonLambda(
  websiteHandler(request, async ({ path: { category }, body }, { caller: { tenantId }, now }) =>
    json(202, view(await testByTenant(deps, { tenantId, category, ...body }, now), now)),
  ),
  { isOptional: true },
);
