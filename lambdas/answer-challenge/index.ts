import { documentClient } from '../../core/adapters/dynamodb.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { signedLambda } from '../../core/http/lambda.ts';
import { callStore, pushDeps } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = pushDeps(client, env);

export const handler = signedLambda(
  createHandler({ ...deps, calls: callStore(client, deps), baseUrl: env.BASE_URL }),
);
