import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = listLambda(
  createHandler({
    targets: new TargetStore(documentClient(), env.TENANTS_TABLE),
    view: viewForTenant(env),
  }),
);
