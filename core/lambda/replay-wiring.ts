import { documentClient } from '../aws/dynamodb-client.ts';
import { EventArchiveStore } from '../events/event-archive-store.ts';
import { LaneWatermarks } from '../export/delivery/lane-watermark-store.ts';
import { ParkingQueue } from '../export/delivery/parking-queue.ts';
import { ReplayQueue } from '../export/replays/replay-queue.ts';
import { ReplayStore } from '../export/replays/replay-store.ts';
import { GivenUpEvents } from '../export/targets/given-up-store.ts';
import { sqsClient } from '../aws/sqs-client.ts';
import { TargetStore } from '../export/targets/target-store.ts';
import type { ReplayEnvironment } from './export-environment.ts';
import type { ReplayDeps } from '../export/replays/replay-events.ts';
import type { ReplayStartDeps } from '../export/replays/start-replay.ts';

/** Apart from the wiring of delivery: a replay reads and parks, and calls no target. */
export function replayDeps(env: ReplayEnvironment) {
  const dynamodb = documentClient();
  const sqs = sqsClient();
  return {
    targets: new TargetStore(dynamodb, env.TENANTS_TABLE),
    reports: new GivenUpEvents(dynamodb, env.TENANTS_TABLE),
    watermarks: new LaneWatermarks(dynamodb, env.TENANTS_TABLE),
    replays: new ReplayStore(dynamodb, env.TENANTS_TABLE),
    archive: new EventArchiveStore(dynamodb, env.EVENTS_TABLE),
    parking: new ParkingQueue(sqs, env.PARKING_QUEUE_URL),
    queue: new ReplayQueue(sqs, env.REPLAYS_QUEUE_URL),
  } satisfies ReplayDeps & ReplayStartDeps;
}
