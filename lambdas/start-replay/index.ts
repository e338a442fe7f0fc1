import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { ReplayQueue } from '../../core/export/replays/replay-queue.ts';
import { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { RequestLimitStore } from '../../core/export/targets/request-limit-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { clampedView, replayByTenant, replayView } from '../../core/export/replays/replay-by-tenant.ts';
import { exportPath, replayBody } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const { TENANTS_TABLE, REPLAYS_QUEUE_URL } = parseEnvironment(environment, process.env);
const dynamodb = documentClient();
const deps = {
  targets: new TargetStore(dynamodb, TENANTS_TABLE),
  limits: new RequestLimitStore(dynamodb, TENANTS_TABLE),
  replays: new ReplayStore(dynamodb, TENANTS_TABLE),
  queue: new ReplayQueue(sqsClient(), REPLAYS_QUEUE_URL),
};

const request = v.object({ path: exportPath, body: replayBody });

export const handler = jsonLambda(
  websiteHandler(request, async ({ path: { category }, body }, { caller: { tenantId }, now }) => {
    const progress = await replayByTenant(deps, { tenantId, category, ...body }, now);
    return json(202, { ...replayView(progress), ...clampedView(body, progress) });
  }),
);
