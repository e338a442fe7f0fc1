import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { oauthLambda } from '../../core/http/oauth-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { authenticationDeps, secretBox } from '../../core/lambda/openid-wiring.ts';
import { sendDeps } from '../../core/lambda/wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = oauthLambda(
  createHandler({
    ...authenticationDeps(client, env),
    ...sendDeps(client, env),
    secrets: secretBox(env),
  }),
);
