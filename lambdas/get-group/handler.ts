import * as v from 'valibot';
import { lookAtGroup, type GroupDeps } from '../../core/confirmations/groups/end-group.ts';
import { groupResponse } from '../../core/http/group-responses.ts';
import { nonceQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ query: nonceQuery });

export const createHandler = (deps: GroupDeps) =>
  websiteHandler(request, async ({ query: { nonce } }, { caller: { tenantId }, ...context }) =>
    groupResponse(await lookAtGroup(deps, { tenantId, nonce }, context), context.now),
  );
