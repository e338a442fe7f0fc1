import { documentClient } from '../../core/adapters/dynamodb.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { jsonLambda } from '../../core/http/lambda.ts';
import { pushDeps, pushGateway } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);

export const handler = jsonLambda(
  createHandler({ ...pushDeps(documentClient(), env), gateway: pushGateway(env) }),
);
