import { CallPace } from '../../core/adapters/call-pace.ts';
import { controlPlaneClient, DeliveryStreams } from '../../core/adapters/delivery-streams.ts';
import { documentClient } from '../../core/adapters/dynamodb.ts';
import { ProvisioningQueue } from '../../core/adapters/provisioning-queue.ts';
import { sqsClient } from '../../core/adapters/sqs.ts';
import { TargetReadiness } from '../../core/adapters/target-readiness.ts';
import { TargetStore } from '../../core/adapters/target-store.ts';
import { batchLambda } from '../../core/batch-lambda.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const dynamodb = documentClient();

/** Milliseconds: two of these Lambdas at once leave an account a call a second for people and deployments. */
const betweenCalls = 500;

export const handler = batchLambda(
  createHandler({
    targets: new TargetStore(dynamodb, env.TENANTS_TABLE),
    readiness: new TargetReadiness(dynamodb, env.TENANTS_TABLE),
    deliveryStreams: new DeliveryStreams(controlPlaneClient(), new CallPace(betweenCalls)),
    queue: new ProvisioningQueue(sqsClient(), env.PROVISIONING_QUEUE_URL),
    deliveryStreamPrefix: env.DELIVERY_STREAM_PREFIX,
    buffering: { seconds: env.DELIVERY_BUFFER_SECONDS, mebibytes: env.DELIVERY_BUFFER_MEBIBYTES },
  }),
);
