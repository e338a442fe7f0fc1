import { DeviceRules } from '../../core/tenants/further-devices-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { bodilessLambda } from '../../core/http/lambda.ts';
import { callStore, confirmationDeps, endpointDeps, pushGateway } from '../../core/lambda/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const rules = new DeviceRules(client, env.TENANTS_TABLE);
const deps = {
  ...confirmationDeps(client, env),
  ...endpointDeps(client, env),
  gateway: pushGateway(),
  rules,
};

export const handler = bodilessLambda(
  createHandler({ ...deps, calls: callStore(client, deps), baseUrl: env.BASE_URL }),
);
