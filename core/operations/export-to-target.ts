import type { CommittedEvent } from '../adapters/event-stream.ts';
import { pack, type PackedRecord } from '../domain/packing.ts';
import { isDrained, laneCount, routeOf, type Target } from '../domain/target.ts';
import { logger } from '../observability.ts';
import { deliver, lineEndOf, noteFault, type DeliveryDeps } from './deliver-to-target.ts';
import type { Outcome } from './export-metrics.ts';
import { inOrder } from './in-order.ts';

/** Milliseconds since 1970. */
export type Deadlines = { delivery: number; parking: number };

/** `isDone` is false where events could neither be delivered nor parked. */
export type Exported = Outcome & { isDone: boolean };

const countOf = (records: readonly PackedRecord[]): number =>
  records.reduce((total, { size }) => total + size, 0);

/** For people, and for good: the item stays in the events table as long as any. */
async function putAside({ deadLetters }: DeliveryDeps, { ref, ...event }: CommittedEvent): Promise<void> {
  const { orderingKey, sequence, type } = event;
  logger.error('event too large', { ...ref, sequence, type });
  await deadLetters.add({
    reason: 'No record can hold the event',
    source: { pk: orderingKey, sequence, type },
  });
}

/** Records that did not get through wait in the queue, behind all that wait there already. */
async function park(
  { parking, places }: DeliveryDeps,
  target: Target,
  records: readonly PackedRecord[],
  deadline: number,
): Promise<{ parked: number; isDone: boolean }> {
  if (records.length === 0) return { parked: 0, isDone: true };
  const { undelivered, positions, fault } = await parking.park(target, records, deadline);
  const parked = countOf(records) - countOf(undelivered);
  if (positions.size > 0) await places.parked(target, positions, parked);
  if (fault) logger.error('not parked', { tenantId: target.tenantId, category: target.category, fault });
  return { parked, isDone: undelivered.length === 0 };
}

/** Delivers a target's events, or parks them; whatever is wrong with the target, this does not fail for it. */
export async function exportToTarget(
  deps: DeliveryDeps,
  target: Target,
  committed: readonly CommittedEvent[],
  deadlines: Deadlines,
): Promise<Exported> {
  const { tenantId, category, destination, state, types } = target;
  const { kind } = destination;
  const events = inOrder(types ? committed.filter(({ type }) => types.includes(type)) : committed);
  if (kind === 'none' || events.length === 0) return { kind, delivered: 0, parked: 0, isDone: true };

  const { records, oversized } = pack(events, { lanes: laneCount(destination), lineEnd: lineEndOf(kind) });
  for (const position of oversized) if (events[position]) await putAside(deps, events[position]);

  const { deliver: ready = [], queue: behind = [] } = Object.groupBy(records, ({ lane }) =>
    routeOf(target, lane),
  );
  const { undelivered, fault } = await deliver(deps, destination, ready, deadlines.delivery);
  // Before anything is parked: the redelivery may be done with it at once, and has the last word.
  if (fault) await noteFault(deps, target, fault);
  const { parked, isDone } = await park(deps, target, [...behind, ...undelivered], deadlines.parking);
  if (!fault && ready.length > 0 && state !== 'active' && isDrained(target))
    await deps.targets.drained(target, Date.now());

  const delivered = countOf(ready) - countOf(undelivered);
  const outcome = { kind, delivered, parked, age: Date.now() - (events[0]?.writtenAt ?? 0) };
  logger.info('exported', {
    tenantId,
    category,
    ...outcome,
    records: records.length,
    ...(fault && { fault }),
  });
  return { ...outcome, isDone };
}
