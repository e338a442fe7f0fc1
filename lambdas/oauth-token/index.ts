import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { oauthLambda } from '../../core/http/oauth-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { authenticationDeps, tokenSigner } from '../../core/lambda/openid-wiring.ts';
import { confirmationDeps } from '../../core/lambda/wiring.ts';
import { BackchannelStore } from '../../core/openid/backchannel-store.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = oauthLambda(
  createHandler({
    ...authenticationDeps(client, env),
    issuer: env.BASE_URL,
    ...confirmationDeps(client, env),
    requests: new BackchannelStore(client, env.CONFIRMATIONS_TABLE),
    signer: tokenSigner(env),
  }),
);
