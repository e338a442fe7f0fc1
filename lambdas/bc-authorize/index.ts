import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { oauthLambda } from '../../core/http/oauth-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { authenticationDeps, secretBox } from '../../core/lambda/openid-wiring.ts';
import { sendDeps } from '../../core/lambda/wiring.ts';
import { clientHandler } from '../../core/http/client-handler.ts';
import { json } from '../../core/http/responses.ts';
import { readBackchannelRequest } from '../../core/openid/backchannel-request.ts';
import { countAuthentication } from '../../core/openid/openid-metrics.ts';
import { readSignedRequest } from '../../core/openid/signed-request.ts';
import { startAuthentication } from '../../core/openid/start-authentication.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  ...authenticationDeps(client, env),
  ...sendDeps(client, env),
  secrets: secretBox(env),
};

export const handler = oauthLambda(
  clientHandler(deps, async (form, { dpop: _dpop, ...context }) => {
    const { client, now } = context;
    const { issuers } = deps;
    const asked = client.profile === 'fapi' ? await readSignedRequest(form, { client, issuers, now }) : form;
    const request = readBackchannelRequest(asked, issuers);
    const started = await startAuthentication(deps, request, context);
    countAuthentication(request.notificationToken === undefined ? 'poll' : 'ping');
    return json(200, started);
  }),
);
