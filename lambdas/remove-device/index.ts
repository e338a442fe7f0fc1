import { documentClient } from '../../core/adapters/dynamodb.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { bodilessLambda } from '../../core/http/lambda.ts';
import { confirmationDeps, endpointDeps, pushGateway } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = bodilessLambda(
  createHandler({ ...confirmationDeps(client, env), ...endpointDeps(client, env), gateway: pushGateway() }),
);
