import type { DeliveryStream, DeliveryStreamClient } from './delivery-stream-client.ts';
import { drainTime } from './delivery-stream.ts';
import type { Target } from '../targets/target.ts';
import type { Occasion, Step } from './provisioning-step.ts';

/**
 * One step towards no delivery stream, for a target that is no bucket, or no more. What the stream was given before
 * the target changed is written first: deleting it loses what it buffers. What is parked waits elsewhere, and goes where
 * the target points now.
 */
export async function removeDeliveryStream(
  deliveryStreams: DeliveryStreamClient,
  stream: DeliveryStream | undefined,
  target: Target | undefined,
  { now, requestedAt }: Occasion,
): Promise<Step> {
  if (!stream) return { outcome: 'nothing' };
  if (stream.status === 'CREATING' || stream.status === 'DELETING') {
    return { outcome: 'settling', again: true };
  }
  const lastChange = Math.max(requestedAt, target?.stateSince ?? 0);
  const until = lastChange + drainTime({ seconds: stream.bufferSeconds });
  if (stream.status === 'ACTIVE' && now < until) return { outcome: 'draining', again: true, until };
  await deliveryStreams.delete(stream);
  return { outcome: 'deleted', again: true };
}
