import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { exportsQuery } from '../../core/staff/requests.ts';
import { logger } from '../../core/kernel/observability.ts';
import { listExports } from '../../core/staff/exports.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const store = new TargetStore(documentClient(), env.TENANTS_TABLE);
const view = viewForTenant(env);

const request = v.object({ query: exportsQuery });

export const handler = listLambda(
  staffHandler(request, async ({ query }, { now }) => {
    const { targets, malformed } = await listExports(store, query);
    for (const target of malformed) logger.error('malformed target', { target });
    const exports = targets.map((target) => ({ tenantId: target.tenantId, ...view(target, now) }));
    return json(200, { exports });
  }),
);
