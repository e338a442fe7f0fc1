import { AssumedRoleClient, stsClient } from '../export/delivery/assumed-role-client.ts';
import { DeadLetterQueue } from '../export/delivery/dead-letter-queue.ts';
import { DeliveryStreamWriter, firehoseClient } from '../export/delivery/delivery-stream-writer.ts';
import { documentClient } from '../aws/dynamodb-client.ts';
import { LaneWatermarks } from '../export/delivery/lane-watermark-store.ts';
import { ParkingQueue } from '../export/delivery/parking-queue.ts';
import { RecoveryCheckQueue } from '../export/delivery/recovery-check-queue.ts';
import { sqsClient } from '../aws/sqs-client.ts';
import { StreamWriter } from '../export/delivery/stream-writer.ts';
import { WebhookWriter } from '../export/delivery/webhook-writer.ts';
import { LastTestStore } from '../export/targets/last-test-store.ts';
import { TargetStore } from '../export/targets/target-store.ts';
import { requestTest } from '../export/verification/request-test.ts';
import { VerificationQueue } from '../export/verification/verification-queue.ts';
import { CatchUpAttempts } from '../export/delivery/catch-up.ts';
import { webhookCaller } from './webhook-wiring.ts';
import type { ExportEnvironment } from './export-environment.ts';
import type { DeliveryDeps } from '../export/delivery/export-to-target.ts';

/** Apart from the API's wiring, so that each bundle has only the SDK clients that its Lambda uses. */
export function deliveryDeps(env: ExportEnvironment) {
  const dynamodb = documentClient();
  const sqs = sqsClient();
  const tests = {
    queue: new VerificationQueue(sqs, env.VERIFICATIONS_QUEUE_URL),
    lastTests: new LastTestStore(dynamodb, env.TENANTS_TABLE),
  };
  return {
    targets: new TargetStore(dynamodb, env.TENANTS_TABLE),
    watermarks: new LaneWatermarks(dynamodb, env.TENANTS_TABLE),
    streams: new StreamWriter(new AssumedRoleClient(stsClient())),
    deliveryStreams: new DeliveryStreamWriter(firehoseClient()),
    webhooks: new WebhookWriter(webhookCaller(env)),
    parking: new ParkingQueue(sqs, env.PARKING_QUEUE_URL),
    checks: new RecoveryCheckQueue(sqs, env.PARKING_QUEUE_URL),
    catchUps: new CatchUpAttempts(),
    requestTest: async (ref) => await requestTest(tests, ref, Date.now()),
    deadLetters: new DeadLetterQueue(sqs, env.UNDELIVERABLE_QUEUE_URL),
  } satisfies DeliveryDeps;
}
