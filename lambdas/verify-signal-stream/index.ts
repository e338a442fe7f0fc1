import { sqsClient } from '../../core/aws/sqs-client.ts';
import { LaneWatermarks } from '../../core/export/delivery/lane-watermark-store.ts';
import { ParkingQueue } from '../../core/export/delivery/parking-queue.ts';
import { RequestLimitStore } from '../../core/export/targets/request-limit-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { streamStores } from '../../core/lambda/signals-wiring.ts';
import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { verificationBody } from '../../core/signals/requests.ts';
import { verifyStream } from '../../core/signals/verify-stream.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const { dynamodb, targets, streams } = streamStores(env);
const deps = {
  targets,
  streams,
  limits: new RequestLimitStore(dynamodb, env.TENANTS_TABLE),
  watermarks: new LaneWatermarks(dynamodb, env.TENANTS_TABLE),
  parking: new ParkingQueue(sqsClient(), env.PARKING_QUEUE_URL),
};

const request = v.object({ body: verificationBody });

export const handler = jsonLambda(
  websiteHandler(request, async ({ body: { stream_id: streamId, state } }, { caller, now }) => {
    await verifyStream(deps, caller, { streamId, state }, now);
    return noContent;
  }),
);
