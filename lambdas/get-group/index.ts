import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { confirmationDeps } from '../../core/lambda/wiring.ts';
import * as v from 'valibot';
import { lookAtGroup } from '../../core/confirmations/groups/end-group.ts';
import { groupResponse } from '../../core/http/group-responses.ts';
import { nonceQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const deps = confirmationDeps(documentClient(), env);

const request = v.object({ query: nonceQuery });

export const handler = bodilessLambda(
  websiteHandler(request, async ({ query: { nonce } }, { caller: { tenantId }, ...context }) =>
    groupResponse(await lookAtGroup(deps, { tenantId, nonce }, context), context.now),
  ),
);
