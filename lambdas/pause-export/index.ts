import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import { environment as schema } from './definition.ts';
import { createHandler } from './handler.ts';

const environment = parseEnvironment(schema, process.env);

export const handler = jsonLambda(
  createHandler({
    targets: new TargetStore(documentClient(), environment.TENANTS_TABLE),
    view: viewForTenant(environment),
  }),
  { isOptional: true },
);
