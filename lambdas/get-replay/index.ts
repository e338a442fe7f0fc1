import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { replayView, requireReplay } from '../../core/export/replays/replay-by-tenant.ts';
import { replayPath } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const { TENANTS_TABLE } = parseEnvironment(environment, process.env);
const replays = new ReplayStore(documentClient(), TENANTS_TABLE);

const request = v.object({ path: replayPath });

export const handler = bodilessLambda(
  websiteHandler(request, async ({ path }, { caller: { tenantId } }) =>
    json(200, replayView(await requireReplay(replays, { tenantId, ...path }))),
  ),
);
