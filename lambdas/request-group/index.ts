import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { refuseAmbiguities, pushRefusal } from '../../core/http/push-request.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { sendDeps } from '../../core/lambda/wiring.ts';
import * as v from 'valibot';
import { requestGroup } from '../../core/confirmations/groups/request-group.ts';
import { groupResponse } from '../../core/http/group-responses.ts';
import { groupBody } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import type { WebsiteCaller } from '../../core/tenants/tenant.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const deps = sendDeps(documentClient(), env);

const requestFor = ({ settings }: WebsiteCaller) => v.object({ body: groupBody(settings.longestLifetime) });

export const handler = jsonLambda(
  websiteHandler(
    requestFor,
    async ({ body: { authorizationDetails, ...asked } }, context) => {
      const details = authorizationDetails && JSON.stringify(authorizationDetails);
      const { repeated, ...group } = await requestGroup(deps, { ...asked, details }, context);
      return groupResponse(group, context.now, { status: 202, repeated });
    },
    { refuse: pushRefusal },
  ),
  { refuseAmbiguities },
);
