import * as v from 'valibot';
import { challengeIdOf } from '../../core/kernel/identifiers.ts';
import { confirmationResponse } from '../../core/http/confirmation-responses.ts';
import { nonceQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { confirmationNotFound, isOfWebsite } from '../../core/confirmations/confirmation-of-website.ts';
import { expireIfDue, type ExpiryDeps } from '../../core/confirmations/expire-if-due.ts';

const request = v.object({ query: nonceQuery });

export const createHandler = (deps: ExpiryDeps) =>
  websiteHandler(request, async ({ query }, { caller, ...context }) => {
    const challengeId = challengeIdOf(caller.tenantId, query.nonce);
    const confirmation = await deps.confirmations.find(challengeId, context.now);
    if (!isOfWebsite(confirmation)) throw confirmationNotFound();
    return confirmationResponse(await expireIfDue(deps, confirmation, context), context.now);
  });
