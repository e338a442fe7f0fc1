import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { replayView } from '../../core/export/replays/replay-by-tenant.ts';
import { ReplayQueue } from '../../core/export/replays/replay-queue.ts';
import { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { sendAgain } from '../../core/export/replays/send-again.ts';
import { RequestLimitStore } from '../../core/export/targets/request-limit-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { eventPath, noMembers } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { environment } from './definition.ts';

const { TENANTS_TABLE, EVENTS_TABLE, REPLAYS_QUEUE_URL } = parseEnvironment(environment, process.env);
const dynamodb = documentClient();
const deps = {
  targets: new TargetStore(dynamodb, TENANTS_TABLE),
  limits: new RequestLimitStore(dynamodb, TENANTS_TABLE),
  index: new EventIndexStore(dynamodb, EVENTS_TABLE),
  replays: new ReplayStore(dynamodb, TENANTS_TABLE),
  queue: new ReplayQueue(sqsClient(), REPLAYS_QUEUE_URL),
};

const request = v.object({ path: eventPath, body: noMembers });

export const handler = jsonLambda(
  websiteHandler(request, async ({ path }, { caller: { tenantId }, now }) =>
    json(202, replayView(await sendAgain(deps, { tenantId, ...path }, now))),
  ),
  { isOptional: true },
);
