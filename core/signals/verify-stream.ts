import { v7 as uuidv7 } from 'uuid';
import type { LaneWatermarks } from '../export/delivery/lane-watermark-store.ts';
import { pack, packingOf } from '../export/delivery/packing.ts';
import type { ParkingQueue } from '../export/delivery/parking-queue.ts';
import { verificationEvent } from '../export/kinds/signals/signal-claims.ts';
import type { RequestLimitStore } from '../export/targets/request-limit-store.ts';
import type { TargetStore } from '../export/targets/target-store.ts';
import { Refusal } from '../kernel/refusal.ts';
import { rfc3339, seconds } from '../kernel/time.ts';
import { requireStream } from './configure-stream.ts';
import { statusOf } from './stream.ts';
import type { Owner, StreamStore } from './stream-store.ts';

export type VerifyDeps = {
  streams: Pick<StreamStore, 'find'>;
  limits: Pick<RequestLimitStore, 'count'>;
  parking: Pick<ParkingQueue, 'park'>;
  watermarks: Pick<LaneWatermarks, 'parked'>;
  targets: Pick<TargetStore, 'queue'>;
};

export type VerificationRequest = { streamId: string; state?: string | undefined };

/** For the queue to take it. */
const patienceMs = 5 * seconds;

/**
 * Sends a verification behind all that waits for the receiver (OpenID Shared Signals Framework 1.0, section 8.1.4.2). It is
 * parked, so that it is delivered as signals are, and again as long as the receiver does not take it.
 *
 * @throws {Refusal}
 */
export async function verifyStream(
  { streams, limits, parking, watermarks, targets }: VerifyDeps,
  owner: Owner,
  { streamId, state }: VerificationRequest,
  now: number,
): Promise<void> {
  const stream = await requireStream(streams, owner, streamId);
  if (statusOf(stream) === 'disabled')
    throw new Refusal('stream-disabled', 'A disabled stream transmits nothing. Enable it first.');
  await limits.count(stream, 'verifications', now);
  const event = verificationEvent(uuidv7(), state, rfc3339(now));
  const { records } = pack([{ orderingKey: streamId, event }], packingOf(stream.destination));
  const { undelivered, positions, fault } = await parking.park(stream, records, now + patienceMs);
  if (undelivered.length > 0) throw new Error(`The verification was not parked: ${fault?.reason ?? ''}`);
  const counts = { accepted: 1, delivered: 0, parked: 1 };
  const current = await watermarks.parked(stream, { positions, counts, since: now });
  if (current) await targets.queue(current, now);
}
