import type { CommittedEvent } from '../../events/event-stream.ts';
import { pack, type PackedRecord } from './packing.ts';
import { isDrained, laneCount, routeOf, slowCodes, type Target } from '../targets/target.ts';
import { logger } from '../../kernel/observability.ts';
import { checkLater } from './check-recovery.ts';
import { deliver, lineEndOf, noteFault, type DeliveryDeps } from './deliver-to-target.ts';
import type { Uncounted } from './export-counts.ts';
import type { Outcome } from './export-metrics.ts';
import { sortBySequence } from './sort-by-sequence.ts';

/** Milliseconds since 1970. */
export type Deadlines = { delivery: number; parking: number };

/** `isDone` is false where events could neither be delivered nor parked. */
export type Exported = Outcome & { isDone: boolean; uncounted?: Uncounted };

const countOf = (records: readonly PackedRecord[]): number =>
  records.reduce((total, { size }) => total + size, 0);

/** For people, and for good: the item stays in the events table as long as any. */
async function sendToDeadLetter(
  { deadLetters }: DeliveryDeps,
  { ref, ...event }: CommittedEvent,
): Promise<void> {
  const { orderingKey, sequence, type } = event;
  logger.error('event too large', { ...ref, sequence, type });
  await deadLetters.add({
    reason: 'No record can hold the event',
    source: { pk: orderingKey, sequence, type },
  });
}

/** What is known of a batch when it comes to parking. */
type Counted = { accepted: number; delivered: number; since: number };

/** Records that did not get through wait in the queue, behind all that wait there already. */
async function park(
  { parking, watermarks }: DeliveryDeps,
  target: Target,
  records: readonly PackedRecord[],
  { accepted, delivered, since }: Counted,
  deadline: number,
): Promise<Omit<Exported, 'target' | 'delivered'>> {
  const { tenantId, category } = target;
  const counts = { accepted, delivered, parked: 0 };
  if (records.length === 0)
    return { parked: 0, isDone: true, uncounted: { ref: { tenantId, category }, counts } };
  const { undelivered, positions, fault } = await parking.park(target, records, deadline);
  const parked = countOf(records) - countOf(undelivered);
  if (positions.size > 0)
    await watermarks.parked(target, { positions, counts: { ...counts, parked }, since });
  if (fault) logger.error('not parked', { tenantId, category, fault });
  return { parked, isDone: undelivered.length === 0 };
}

const oldestOf = (events: readonly CommittedEvent[]): number =>
  events.reduce((oldest, { writtenAt }) => Math.min(oldest, writtenAt), Infinity);

/** Delivers a target's events, or parks them; whatever is wrong with the target, this does not fail for it. */
export async function exportToTarget(
  deps: DeliveryDeps,
  target: Target,
  committed: readonly CommittedEvent[],
  deadlines: Deadlines,
): Promise<Exported> {
  const { tenantId, category, destination, state, types } = target;
  const { kind } = destination;
  const events = sortBySequence(types ? committed.filter(({ type }) => types.includes(type)) : committed);
  if (kind === 'none' || events.length === 0) return { target, delivered: 0, parked: 0, isDone: true };

  const { records, oversized } = pack(events, { lanes: laneCount(destination), lineEnd: lineEndOf(kind) });
  for (const position of oversized) if (events[position]) await sendToDeadLetter(deps, events[position]);

  const { deliver: ready = [], queue: behind = [] } = Object.groupBy(records, ({ lane }) =>
    routeOf(target, lane),
  );
  const { undelivered, fault } = await deliver(deps, destination, ready, deadlines.delivery);
  // Before anything is parked: the redelivery may be done with it at once, and has the last word.
  if (fault) await noteFault(deps, target, fault);
  const delivered = countOf(ready) - countOf(undelivered);
  const counted = { accepted: events.length, delivered, since: oldestOf(events) };
  const waiting = [...behind, ...undelivered];
  const { parked, ...rest } = await park(deps, target, waiting, counted, deadlines.parking);
  if (!fault && ready.length > 0 && state !== 'active' && isDrained(target))
    await deps.targets.drain(target, Date.now());
  if (fault?.code === slowCodes.slow) await checkLater(deps, target);

  const outcome = { delivered, parked, age: Date.now() - counted.since };
  logger.info('exported', {
    tenantId,
    category,
    kind,
    ...outcome,
    records: records.length,
    ...(fault && { fault }),
  });
  return { target, ...outcome, ...rest };
}
