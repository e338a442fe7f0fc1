import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { TenantDirectory } from '../../core/staff/tenant-directory-store.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { TENANTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = listLambda(
  createHandler({ tenants: new TenantDirectory(documentClient(), TENANTS_TABLE) }),
);
