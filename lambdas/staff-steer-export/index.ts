import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
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
    log: staffLog(client, env),
    view: viewForTenant(env),
  }),
);
