import { clientHandler } from '../../core/http/client-handler.ts';
import { json } from '../../core/http/responses.ts';
import type { AuthenticationDeps } from '../../core/openid/authenticate-client.ts';
import { missingProof, verifyProof } from '../../core/openid/dpop.ts';
import { countTokens } from '../../core/openid/openid-metrics.ts';
import { redeemRequest, type RedeemDeps } from '../../core/openid/redeem-request.ts';
import { readTokenRequest } from '../../core/openid/token-request.ts';

export const createHandler = (deps: AuthenticationDeps & RedeemDeps) =>
  clientHandler(deps, async (form, { dpop, ...context }) => {
    const { clientId, profile } = context.client;
    const authReqId = readTokenRequest(form);
    if (dpop === undefined && profile === 'fapi') throw missingProof();
    const jkt =
      dpop === undefined ? undefined : await verifyProof(deps, dpop, { clientId, now: context.now });
    const tokens = await redeemRequest(deps, { authReqId, jkt }, context);
    countTokens();
    return json(200, tokens);
  });
