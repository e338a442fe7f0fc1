import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { ReplayQueue } from '../../core/export/replays/replay-queue.ts';
import { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import * as v from 'valibot';
import { replayView } from '../../core/export/replays/replay-by-tenant.ts';
import { replayBody } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffExportPath } from '../../core/staff/requests.ts';
import { replayExport } from '../../core/staff/exports.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  targets: new TargetStore(client, env.TENANTS_TABLE),
  replays: new ReplayStore(client, env.TENANTS_TABLE),
  queue: new ReplayQueue(sqsClient(), env.REPLAYS_QUEUE_URL),
  log: staffLog(client, env),
};

const request = v.object({ path: staffExportPath, body: replayBody });

export const handler = jsonLambda(
  staffHandler(request, async ({ path, body }, context) =>
    json(202, replayView(await replayExport(deps, { ...path, ...body }, context))),
  ),
);
