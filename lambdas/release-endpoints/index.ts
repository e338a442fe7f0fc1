import { documentClient } from '../../core/adapters/dynamodb.ts';
import { listReleases } from '../../core/adapters/released-endpoints.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { scheduledLambda } from '../../core/scheduled-lambda.ts';
import { endpointDeps } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = scheduledLambda(
  createHandler({
    ...endpointDeps(client, env),
    releases: () => listReleases(client, env.DEVICES_TABLE),
  }),
);
