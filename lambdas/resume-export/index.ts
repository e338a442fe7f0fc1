import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import * as v from 'valibot';
import { resumeByTenant } from '../../core/export/targets/steer-target.ts';
import { exportPath, noMembers } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const targets = new TargetStore(documentClient(), env.TENANTS_TABLE);
const view = viewForTenant(env);

const request = v.object({ path: exportPath, body: noMembers });

export const handler = jsonLambda(
  websiteHandler(request, async ({ path: { category } }, { caller: { tenantId }, now }) =>
    json(200, view(await resumeByTenant(targets, { tenantId, category }, now), now)),
  ),
  { isOptional: true },
);
