import { partitionOf } from '../../events/event-keys.ts';
import { sampleEvent } from '../../events/sample-event.ts';
import { isStreamName } from '../../events/target-ref.ts';
import { seconds } from '../../kernel/time.ts';
import { isPlace } from '../kinds/records.ts';
import type { Fault, Target, TestEvent } from '../targets/target.ts';
import { pack, packingOf } from './packing.ts';
import { outOfTime } from './send-with-retries.ts';
import type { Writers } from './writer.ts';

/** Milliseconds, as for a redelivery: the test must not fail where events would arrive. */
const limits = { callsMs: 5 * seconds, patienceMs: 10 * seconds };

/** The writers of the kinds that a tenant's target may have. */
export type TenantWriters = Omit<Writers, 'signals'>;

/**
 * Sends one event in the way in which events are sent. Neither the target's counts nor its list of deliveries have it.
 *
 * @returns why the target did not take it, if so
 */
export async function sendTestEvent(
  writers: TenantWriters,
  target: Target,
  { type, eventId }: TestEvent,
  now: number,
): Promise<Fault | undefined> {
  const { tenantId, category, destination } = target;
  if (isStreamName(category) || !isPlace(destination) || destination.kind === 'signals') return undefined;
  const event = sampleEvent({ tenantId, category, type, eventId }, now);
  const stored = { orderingKey: partitionOf(tenantId, event.metadata), event: JSON.stringify(event) };
  const { records } = pack([stored], packingOf(destination));
  const { callsMs, patienceMs } = limits;
  const writer = writers[destination.kind];
  const { undelivered, fault } = await writer.deliver(target, records, now + callsMs, patienceMs);
  return undelivered.length > 0 ? (fault ?? outOfTime) : undefined;
}
