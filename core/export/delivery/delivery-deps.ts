import type { TargetRef } from '../../events/target-ref.ts';
import type { GivenUpEvents } from '../targets/given-up-store.ts';
import type { TargetStore } from '../targets/target-store.ts';
import type { AttemptLog } from './attempt-log-store.ts';
import type { CatchUpAttempts } from './catch-up-attempts.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import type { HandledEvents } from './handled-events.ts';
import type { LaneWatermarks } from './lane-watermark-store.ts';
import type { ParkingQueue } from './parking-queue.ts';
import type { RecoveryCheckQueue } from './recovery-check-queue.ts';
import type { UnansweredTargets } from './unanswered-targets.ts';
import type { Writers } from './writer.ts';

/** What the exporter and the redelivery need. */
export type DeliveryDeps = {
  targets: Pick<TargetStore, 'load' | 'streamsOf' | 'transition' | 'queue' | 'drain'>;
  watermarks: Pick<LaneWatermarks, 'parked' | 'drained' | 'counted'>;
  writers: Writers;
  parking: Pick<ParkingQueue, 'park' | 'hold'>;
  deadLetters: Pick<DeadLetterQueue, 'add'>;
  attempts: Pick<AttemptLog, 'note'>;
  givenUp: Pick<GivenUpEvents, 'refused'>;
  checks: Pick<RecoveryCheckQueue, 'ask' | 'hold'>;
  catchUps: CatchUpAttempts;
  handled: HandledEvents;
  unanswered: UnansweredTargets;
  /** Asks for a test of trust. */
  requestTest: (ref: TargetRef) => Promise<unknown>;
};
