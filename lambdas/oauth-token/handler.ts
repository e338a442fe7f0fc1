import { clientHandler } from '../../core/http/client-handler.ts';
import { json } from '../../core/http/responses.ts';
import type { AuthenticationDeps } from '../../core/openid/authenticate-client.ts';
import { countTokens } from '../../core/openid/openid-metrics.ts';
import { redeemRequest, type RedeemDeps } from '../../core/openid/redeem-request.ts';
import { readTokenRequest } from '../../core/openid/token-request.ts';

export const createHandler = (deps: AuthenticationDeps & RedeemDeps) =>
  clientHandler(deps, async (form, context) => {
    const tokens = await redeemRequest(deps, readTokenRequest(form), context);
    countTokens();
    return json(200, tokens);
  });
