import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { signedLambda } from '../../core/http/api-lambda.ts';
import { baseUrlsOf, allowedPushServices, endpointDeps, pushClient } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const deps = endpointDeps(documentClient(), env);

export const handler = signedLambda(
  createHandler({
    ...deps,
    push: pushClient(env),
    baseUrls: baseUrlsOf(env),
    pushServices: allowedPushServices(env),
  }),
);
