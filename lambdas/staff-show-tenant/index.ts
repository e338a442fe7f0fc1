import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import { TenantDirectory } from '../../core/staff/tenant-directory-store.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = listLambda(
  createHandler({ tenants: new TenantDirectory(client, env.TENANTS_TABLE), log: staffLog(client, env) }),
);
