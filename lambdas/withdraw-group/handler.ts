import * as v from 'valibot';
import { withdrawGroup, type WithdrawGroupDeps } from '../../core/confirmations/groups/end-group.ts';
import { nonceQuery } from '../../core/http/request-schemas.ts';
import { noContent } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ query: nonceQuery });

export const createHandler = (deps: WithdrawGroupDeps) =>
  websiteHandler(request, async ({ query: { nonce } }, { caller: { tenantId }, ...context }) => {
    await withdrawGroup(deps, { tenantId, nonce }, context);
    return noContent;
  });
