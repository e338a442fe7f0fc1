import type { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Delivery } from './send-with-retries.ts';
import type { DeliveryStreamWriter } from './delivery-stream-writer.ts';
import type { LaneWatermarks } from './lane-watermark-store.ts';
import type { ParkingQueue } from './parking-queue.ts';
import type { RecoveryCheckQueue } from './recovery-check-queue.ts';
import type { StreamWriter } from './stream-writer.ts';
import type { TargetStore } from '../targets/target-store.ts';
import type { CatchUpAttempts } from './catch-up-attempts.ts';
import type { PackedRecord } from './packing.ts';
import { allows, transitionFor, transitions } from '../targets/state-machine.ts';
import type { Destination, Fault, Target } from '../targets/target.ts';

/** What exporting and redelivering share. */
export type DeliveryDeps = {
  targets: Pick<TargetStore, 'load' | 'transition' | 'drain'>;
  watermarks: Pick<LaneWatermarks, 'parked' | 'drained' | 'counted'>;
  streams: Pick<StreamWriter, 'deliver'>;
  deliveryStreams: Pick<DeliveryStreamWriter, 'deliver'>;
  parking: Pick<ParkingQueue, 'park' | 'hold'>;
  deadLetters: Pick<DeadLetterQueue, 'add'>;
  checks: Pick<RecoveryCheckQueue, 'ask' | 'hold'>;
  catchUps: CatchUpAttempts;
};

/** Milliseconds, and how many targets are served at once. */
export type TimeBudget = {
  perTarget: number;
  perBatch: number;
  perParking: number;
  /** For which a batch waits at most until the redelivery is done with its targets, all of them together. */
  perCatchUp: number;
  atOnce: number;
};

/** The next batch waits for the slowest target of this one. */
export const timeBudget: TimeBudget = {
  perTarget: 2_000,
  perBatch: 10_000,
  perParking: 10_000,
  perCatchUp: 1_000,
  atOnce: 16,
};

/**
 * Milliseconds. Nothing but more of the same lane waits for a redelivery: a slow target gets through here, as a call that
 * is under way may take as long as the SDK's clients wait. One that was called off would come again each time, and each
 * time its events would arrive once more.
 */
export const perRedelivery = { calls: 5_000, patience: 10_000 };

/** JSON lines in a bucket; a record of a stream stands by itself. */
export const lineEndOf = (kind: Destination['kind']): '' | '\n' => (kind === 'bucket' ? '\n' : '');

export async function deliver(
  { streams, deliveryStreams }: DeliveryDeps,
  destination: Exclude<Destination, { kind: 'none' }>,
  records: readonly PackedRecord[],
  deadline: number,
  patience?: number,
): Promise<Delivery> {
  return destination.kind === 'stream'
    ? await streams.deliver(destination, records, deadline, patience)
    : await deliveryStreams.deliver(destination, records, deadline, patience);
}

/** Records why a target does not take events. A fault that the record has already is not written with every batch. */
export async function noteFault({ targets }: DeliveryDeps, target: Target, fault: Fault): Promise<void> {
  const transition = transitionFor(fault);
  const isKnown = target.state === transitions[transition].to && target.fault?.code === fault.code;
  if (isKnown || !allows(transition, target, target)) return;
  await targets.transition(target, transition, Date.now(), { fault });
}
