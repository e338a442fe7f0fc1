import { documentClient } from './adapters/dynamodb.ts';
import { EventArchive } from './adapters/event-archive.ts';
import { ParkedPlaces } from './adapters/parked-places.ts';
import { ParkingQueue } from './adapters/parking-queue.ts';
import { ReplayQueue } from './adapters/replay-queue.ts';
import { ReplayStore } from './adapters/replay-store.ts';
import { sqsClient } from './adapters/sqs.ts';
import { TargetStore } from './adapters/target-store.ts';
import type { ReplayEnvironment } from './export-environment.ts';
import type { ReplayDeps } from './operations/replay-events.ts';
import type { ReplayStartDeps } from './operations/replay-start.ts';

/** Apart from delivery's wiring: a replay reads and parks, and speaks to no target. */
export function replayDeps(env: ReplayEnvironment) {
  const dynamodb = documentClient();
  const sqs = sqsClient();
  return {
    targets: new TargetStore(dynamodb, env.TENANTS_TABLE),
    places: new ParkedPlaces(dynamodb, env.TENANTS_TABLE),
    replays: new ReplayStore(dynamodb, env.TENANTS_TABLE),
    archive: new EventArchive(dynamodb, env.EVENTS_TABLE),
    parking: new ParkingQueue(sqs, env.PARKING_QUEUE_URL),
    queue: new ReplayQueue(sqs, env.REPLAYS_QUEUE_URL),
  } satisfies ReplayDeps & ReplayStartDeps;
}
