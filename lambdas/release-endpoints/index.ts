import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { listReleases } from '../../core/devices/push/released-endpoint-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { endpointDeps } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = scheduledLambda(
  createHandler({
    ...endpointDeps(client, env),
    releases: () => listReleases(client, env.DEVICES_TABLE),
  }),
);
