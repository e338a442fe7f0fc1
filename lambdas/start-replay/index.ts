import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { ReplayQueue } from '../../core/export/replays/replay-queue.ts';
import { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { RequestLimitStore } from '../../core/export/targets/request-limit-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { TENANTS_TABLE, REPLAYS_QUEUE_URL } = parseEnvironment(environment, process.env);
const dynamodb = documentClient();

export const handler = jsonLambda(
  createHandler({
    targets: new TargetStore(dynamodb, TENANTS_TABLE),
    limits: new RequestLimitStore(dynamodb, TENANTS_TABLE),
    replays: new ReplayStore(dynamodb, TENANTS_TABLE),
    queue: new ReplayQueue(sqsClient(), REPLAYS_QUEUE_URL),
  }),
);
