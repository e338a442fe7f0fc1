import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { LastTestStore } from '../../core/export/targets/last-test-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import * as v from 'valibot';
import { noMembers } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffExportPath } from '../../core/staff/requests.ts';
import { testExport } from '../../core/staff/exports.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  targets: new TargetStore(client, env.TENANTS_TABLE),
  lastTests: new LastTestStore(client, env.TENANTS_TABLE),
  queue: new VerificationQueue(sqsClient(), env.VERIFICATIONS_QUEUE_URL),
  log: staffLog(client, env),
};
const view = viewForTenant(env);

const request = v.object({ path: staffExportPath, body: noMembers });

export const handler = jsonLambda(
  staffHandler(request, async ({ path }, context) => {
    const target = await testExport(deps, path, context);
    return json(202, { tenantId: path.tenantId, ...view(target, context.now) });
  }),
  { isOptional: true },
);
