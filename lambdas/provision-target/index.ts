import { RateLimiter } from '../../core/aws/rate-limiter.ts';
import {
  controlPlaneClient,
  DeliveryStreamClient,
} from '../../core/export/kinds/bucket/provisioning/delivery-stream-client.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { ProvisioningQueue } from '../../core/export/kinds/bucket/provisioning/provisioning-queue.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { TargetReadiness } from '../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const dynamodb = documentClient();

export const handler = batchLambda(
  createHandler({
    targets: new TargetStore(dynamodb, env.TENANTS_TABLE),
    readiness: new TargetReadiness(dynamodb, env.TENANTS_TABLE),
    deliveryStreams: new DeliveryStreamClient(
      controlPlaneClient(),
      new RateLimiter(env.DELIVERY_STREAM_CALL_INTERVAL),
    ),
    queue: new ProvisioningQueue(sqsClient(), env.PROVISIONING_QUEUE_URL),
    deliveryStreamPrefix: env.DELIVERY_STREAM_PREFIX,
    buffering: { seconds: env.DELIVERY_BUFFER_SECONDS, mebibytes: env.DELIVERY_BUFFER_MEBIBYTES },
  }),
);
