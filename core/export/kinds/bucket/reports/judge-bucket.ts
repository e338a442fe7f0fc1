import { minutes, hours, seconds } from '../../../../kernel/time.ts';
import {
  acceptedSince,
  countBefore,
  firehoseCount,
  lossOf,
  writingTime,
  type Loss,
} from '../../../targets/firehose-progress.ts';
import { isBucket } from '../record.ts';
import type { BucketTrouble, Target } from '../../../targets/target.ts';
import type { DeliveryMetrics } from './delivery-metrics-client.ts';

/** What is found about a bucket in trouble. `settled`: Firehose has no events left that it could not write. */
export type Judgement =
  | { outcome: 'unchanged' }
  | { outcome: 'progressed'; written: Pick<BucketTrouble, 'writtenCount' | 'acceptedSince'>; loss?: Loss }
  | { outcome: 'settled'; loss?: Loss };

/** Firehose keeps what it cannot write for so long ("Data delivery failure handling" in its guide). */
const retentionMs = 24 * hours;
/** Metrics come each minute while Firehose has records. */
const intervalMs = 1 * minutes;
const silence = 3 * intervalMs;

/** True if Firehose wrote after its last error. */
function hasWritten(
  { lastErrorAt }: BucketTrouble,
  target: Target,
  metrics: DeliveryMetrics,
  now: number,
): boolean {
  const { success } = metrics;
  if (!success || success.value === 0) return false;
  if (success.value === 1 && success.at >= lastErrorAt) return true;
  // Error and success were in the same minute, and no other error followed.
  return success.at + intervalMs > lastErrorAt && now - lastErrorAt > 2 * writingTime(target);
}

/** True if Firehose has no record that is older than usual. */
function isFresh(target: Target, { freshness }: DeliveryMetrics, now: number): boolean {
  if (!freshness || now - freshness.at > silence) return true;
  const age = freshness.value * seconds;
  return age <= writingTime(target) || freshness.at - age > (target.firehoseProgress?.at ?? 0);
}

function progress(
  target: Target,
  trouble: BucketTrouble,
  { freshness }: DeliveryMetrics,
  now: number,
): Judgement {
  const expired = countBefore(target, now - retentionMs);
  const known = freshness ? countBefore(target, freshness.at - freshness.value * seconds) : 0;
  const written = Math.max(trouble.writtenCount, Math.min(known, firehoseCount(target)));
  const writtenCount = Math.max(written, expired);
  if (writtenCount === trouble.writtenCount) return { outcome: 'unchanged' };
  const range = { from: trouble.acceptedSince, to: now - retentionMs };
  const loss = lossOf({ cause: 'expired', count: expired - written }, range);
  if (writtenCount === firehoseCount(target)) return { outcome: 'settled', ...(loss && { loss }) };
  const since = acceptedSince(target, writtenCount, now);
  return {
    outcome: 'progressed',
    written: { writtenCount, acceptedSince: since },
    ...(loss && { loss }),
  };
}

/** True if the target has another destination than the one in trouble. */
export const isReplaced = ({ destination }: Target, { bucket }: BucketTrouble): boolean =>
  !isBucket(destination) || destination.bucket !== bucket;

/** What Firehose's metrics say of a bucket in trouble. */
export function judgeBucket(
  target: Target,
  trouble: BucketTrouble,
  metrics: DeliveryMetrics,
  now: number,
): Judgement {
  if (isReplaced(target, trouble)) {
    const range = { from: trouble.acceptedSince, to: now };
    const count = firehoseCount(target) - trouble.writtenCount;
    const loss = lossOf({ cause: 'replaced', count }, range);
    return { outcome: 'settled', ...(loss && { loss }) };
  }
  const isWritten = hasWritten(trouble, target, metrics, now) && isFresh(target, metrics, now);
  return isWritten ? { outcome: 'settled' } : progress(target, trouble, metrics, now);
}
