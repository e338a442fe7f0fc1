import { sqsClient } from '../../core/aws/sqs-client.ts';
import { LaneWatermarks } from '../../core/export/delivery/lane-watermark-store.ts';
import { ParkingQueue } from '../../core/export/delivery/parking-queue.ts';
import { RequestLimitStore } from '../../core/export/targets/request-limit-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { streamStores } from '../../core/lambda/signals-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const { dynamodb, targets, streams } = streamStores(env);

export const handler = jsonLambda(
  createHandler({
    targets,
    streams,
    limits: new RequestLimitStore(dynamodb, env.TENANTS_TABLE),
    watermarks: new LaneWatermarks(dynamodb, env.TENANTS_TABLE),
    parking: new ParkingQueue(sqsClient(), env.PARKING_QUEUE_URL),
  }),
);
