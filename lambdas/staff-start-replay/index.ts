import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { ReplayQueue } from '../../core/export/replays/replay-queue.ts';
import { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { staffLog } from '../../core/lambda/staff-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = jsonLambda(
  createHandler({
    targets: new TargetStore(client, env.TENANTS_TABLE),
    replays: new ReplayStore(client, env.TENANTS_TABLE),
    queue: new ReplayQueue(sqsClient(), env.REPLAYS_QUEUE_URL),
    log: staffLog(client, env),
  }),
);
