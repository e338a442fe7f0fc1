import * as v from 'valibot';
import { challengeIdOf } from '../../core/kernel/identifiers.ts';
import { noContent } from '../../core/http/responses.ts';
import { nonceQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { withdrawConfirmation, type WithdrawDeps } from '../../core/confirmations/withdraw-confirmation.ts';

const request = v.object({ query: nonceQuery });

export const createHandler = (deps: WithdrawDeps) =>
  websiteHandler(request, async ({ query }, { caller, ...context }) => {
    await withdrawConfirmation(deps, challengeIdOf(caller.tenantId, query.nonce), context);
    return noContent;
  });
