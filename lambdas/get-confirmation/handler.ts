import * as v from 'valibot';
import { challengeIdOf } from '../../core/kernel/identifiers.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { confirmationResponse } from '../../core/http/confirmation-responses.ts';
import { nonceQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { expireIfDue, type ExpiryDeps } from '../../core/confirmations/expire-if-due.ts';

const request = v.object({ query: nonceQuery });

export const createHandler = (deps: ExpiryDeps) =>
  websiteHandler(request, async ({ query }, { caller, ...context }) => {
    const challengeId = challengeIdOf(caller.tenantId, query.nonce);
    const confirmation = await deps.confirmations.find(challengeId, context.now);
    if (!confirmation)
      throw new Refusal('confirmation-not-found', 'There is no confirmation with this nonce.');
    const current = await expireIfDue(deps, confirmation, context);
    // A confirmation by CIBA is kept without its nonce.
    return confirmationResponse({ ...current, nonce: query.nonce }, context.now);
  });
