import { FurtherDevicesStore } from '../../core/tenants/further-devices-policy-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { deviceCallStore, confirmationDeps, endpointDeps, pushClient } from '../../core/lambda/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const rules = new FurtherDevicesStore(client, env.TENANTS_TABLE);
const deps = {
  ...confirmationDeps(client, env),
  ...endpointDeps(client, env),
  gateway: pushClient(),
  rules,
};

export const handler = bodilessLambda(
  createHandler({ ...deps, calls: deviceCallStore(client, deps), baseUrl: env.BASE_URL }),
);
