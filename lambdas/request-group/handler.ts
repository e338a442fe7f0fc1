import * as v from 'valibot';
import { requestGroup, type GroupRequestDeps } from '../../core/confirmations/groups/request-group.ts';
import { groupResponse } from '../../core/http/group-responses.ts';
import { pushRefusal } from '../../core/http/push-request.ts';
import { groupBody } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import type { WebsiteCaller } from '../../core/tenants/tenant.ts';

const requestFor = ({ settings }: WebsiteCaller) => v.object({ body: groupBody(settings.longestLifetime) });

export const createHandler = (deps: GroupRequestDeps) =>
  websiteHandler(
    requestFor,
    async ({ body: { authorizationDetails, ...asked } }, context) => {
      const details = authorizationDetails && JSON.stringify(authorizationDetails);
      const { repeated, ...group } = await requestGroup(deps, { ...asked, details }, context);
      return groupResponse(group, context.now, { status: 202, repeated });
    },
    { refuse: pushRefusal },
  );
