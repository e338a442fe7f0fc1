import { documentClient } from '../../core/adapters/dynamodb.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { bodilessLambda } from '../../core/http/lambda.ts';
import { callStore, confirmationDeps, endpointDeps } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = { ...confirmationDeps(client, env), ...endpointDeps(client, env) };

export const handler = bodilessLambda(
  createHandler({ ...deps, calls: callStore(client, deps), baseUrl: env.BASE_URL }),
);
