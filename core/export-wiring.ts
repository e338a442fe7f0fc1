import { AssumedCredentials, stsClient } from './adapters/assumed-credentials.ts';
import { DeadLetters } from './adapters/dead-letters.ts';
import { DeliveryStreamWriter, firehoseClient } from './adapters/delivery-stream-writer.ts';
import { documentClient } from './adapters/dynamodb.ts';
import { ParkedPlaces } from './adapters/parked-places.ts';
import { ParkingQueue } from './adapters/parking-queue.ts';
import { RecoveryChecks } from './adapters/recovery-checks.ts';
import { sqsClient } from './adapters/sqs.ts';
import { StreamWriter } from './adapters/stream-writer.ts';
import { TargetStore } from './adapters/target-store.ts';
import { HandOvers } from './domain/hand-overs.ts';
import type { ExportEnvironment } from './export-environment.ts';
import type { DeliveryDeps } from './operations/deliver-to-target.ts';

/** Apart from the API's wiring, so that each Lambda carries only the SDK clients that it uses. */
export function deliveryDeps(env: ExportEnvironment) {
  const dynamodb = documentClient();
  const sqs = sqsClient();
  return {
    targets: new TargetStore(dynamodb, env.TENANTS_TABLE),
    places: new ParkedPlaces(dynamodb, env.TENANTS_TABLE),
    streams: new StreamWriter(new AssumedCredentials(stsClient())),
    deliveryStreams: new DeliveryStreamWriter(firehoseClient()),
    parking: new ParkingQueue(sqs, env.PARKING_QUEUE_URL),
    checks: new RecoveryChecks(sqs, env.PARKING_QUEUE_URL),
    handOvers: new HandOvers(),
    deadLetters: new DeadLetters(sqs, env.UNDELIVERABLE_QUEUE_URL),
  } satisfies DeliveryDeps;
}
