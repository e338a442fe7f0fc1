import { documentClient } from '../../core/adapters/dynamodb.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { signedLambda } from '../../core/http/lambda.ts';
import { endpointDeps, pushGateway } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const deps = endpointDeps(documentClient(), env);

export const handler = signedLambda(
  createHandler({ ...deps, gateway: pushGateway(env), baseUrl: env.BASE_URL }),
);
