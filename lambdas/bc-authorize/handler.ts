import { clientHandler } from '../../core/http/client-handler.ts';
import { json } from '../../core/http/responses.ts';
import type { AuthenticationDeps } from '../../core/openid/authenticate-client.ts';
import { readBackchannelRequest } from '../../core/openid/backchannel-request.ts';
import { countAuthentication } from '../../core/openid/openid-metrics.ts';
import { readSignedRequest } from '../../core/openid/signed-request.ts';
import { startAuthentication, type StartDeps } from '../../core/openid/start-authentication.ts';

export const createHandler = (deps: AuthenticationDeps & StartDeps) =>
  clientHandler(deps, async (form, { dpop: _dpop, ...context }) => {
    const { client, now } = context;
    const { issuers } = deps;
    const asked = client.profile === 'fapi' ? await readSignedRequest(form, { client, issuers, now }) : form;
    const request = readBackchannelRequest(asked, issuers);
    const started = await startAuthentication(deps, request, context);
    countAuthentication(request.notificationToken === undefined ? 'poll' : 'ping');
    return json(200, started);
  });
