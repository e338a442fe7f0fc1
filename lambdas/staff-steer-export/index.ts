import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffExportPath, steeringBody } from '../../core/staff/requests.ts';
import { steerExport } from '../../core/staff/exports.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  targets: new TargetStore(client, env.TENANTS_TABLE),
  log: staffLog(client, env),
};
const view = viewForTenant(env);

const request = v.object({ path: staffExportPath, body: steeringBody });

export const handler = jsonLambda(
  staffHandler(request, async ({ path, body: { act } }, context) => {
    const target = await steerExport(deps, path, act, context);
    return json(200, { tenantId: path.tenantId, ...view(target, context.now) });
  }),
);
