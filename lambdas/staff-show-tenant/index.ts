import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import { TenantDirectory, showTenant } from '../../core/staff/tenant-directory-store.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffTenantPath } from '../../core/staff/requests.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = { tenants: new TenantDirectory(client, env.TENANTS_TABLE), log: staffLog(client, env) };

const request = v.object({ path: staffTenantPath });

export const handler = listLambda(
  staffHandler(request, async ({ path: { tenantId } }, context) =>
    json(200, await showTenant(deps, tenantId, context)),
  ),
);
