import { idsIn } from './attempt.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { sortBySequence, type CommittedEvent } from '../../events/event-stream.ts';
import { logger } from '../../kernel/observability.ts';
import { allows, transitionFor, transitions } from '../targets/state-machine.ts';
import {
  isDrained,
  routeOf,
  slowCodes,
  type Fault,
  type FirehoseProgress,
  type Target,
} from '../targets/target.ts';
import { nextProgress, lossByDeletion, withLoss } from '../targets/firehose-progress.ts';
import type { TransitionDetails } from '../targets/target-store.ts';
import { checkLater } from './check-recovery.ts';
import { goneCode } from '../targets/firehose-progress.ts';
import type { Outcome } from './export-metrics.ts';
import type { Counts } from './lane-watermark-store.ts';
import type { Handling } from './handled-events.ts';
import { eventsOf, pack, packingOf, type PackedRecord } from './packing.ts';
import { endTrouble } from './recover.ts';
import { notTaken, type Delivery } from './send-with-retries.ts';
import type { Lane } from '../targets/lanes.ts';
import { isPlace, propertiesOf } from '../kinds/records.ts';

/** Milliseconds since 1970. */
export type Deadlines = { delivery: number; parking: number };

/** The counts of a target's events in a batch. Those of parked records are written with their watermarks. */
export type Counted = { counts: Counts; isWritten: boolean };

export type Exported = Outcome & {
  /** Those that the target wants. */
  events: readonly CommittedEvent[];
  /** Those of them that could be neither delivered nor parked. */
  left: readonly CommittedEvent[];
  /** What became of the others, for a batch that comes again. */
  handled?: () => Handled;
  counted?: Counted;
};

export type Handled = Record<Handling, readonly CommittedEvent[]>;

/** Delivers a target's events, or parks them. Trouble with the target does not make it fail. */
export async function exportToTarget(
  deps: DeliveryDeps,
  target: Target,
  committed: readonly CommittedEvent[],
  deadlines: Deadlines,
): Promise<Exported> {
  const { tenantId, category, destination, types } = target;
  const { kind } = destination;
  const wanted = sortBySequence(types ? committed.filter(({ type }) => types.includes(type)) : committed);
  if (!isPlace(destination) || wanted.length === 0)
    return { target, delivered: 0, parked: 0, events: [], left: [] };
  const before = Object.groupBy(wanted, (event) => deps.handled.of(target, event) ?? 'new');
  const { new: events = [], delivered: { length: deliveredBefore } = [] } = before;
  const counts = { accepted: wanted.length, delivered: deliveredBefore, parked: 0 };
  if (events.length === 0)
    return {
      target,
      delivered: 0,
      parked: 0,
      events: wanted,
      left: [],
      counted: { counts, isWritten: false },
    };

  // What waits is parked in few messages, whatever the target did.
  const firstSize = (lane: Lane): number | undefined =>
    routeOf(target, lane) === 'deliver' ? deps.unanswered.firstSize(target) : undefined;
  const { records, oversized } = pack(events, { ...packingOf(destination), firstSize });
  for (const position of oversized) if (events[position]) await sendToDeadLetter(deps, events[position]);

  const { deliver: ready = [], queue: behind = [] } = Object.groupBy(records, ({ lane }) =>
    routeOf(target, lane),
  );
  const delivery = await deliver(deps, target, ready, deadlines.delivery);
  const { undelivered, fault, refused } = delivery;
  // Before anything is parked: the redelivery may deliver it at once, and must decide about the state last.
  if (fault) await noteFault(deps, target, fault);
  const delivered = countOf(ready) - countOf(notTaken(delivery));
  const seen = { ...counts, delivered: deliveredBefore + delivered, since: oldestOf(events) };
  const waiting = [...behind, ...undelivered];
  const { parked, left, counted } = await park(deps, target, waiting, seen, deadlines.parking);
  await updateState(deps, target, { fault, isTried: ready.length > 0 });

  const outcome: Omit<Outcome, 'target'> = { delivered, parked, ageMs: Date.now() - seen.since };
  const facts = { tenantId, category, kind, ...outcome, records: records.length, ...(fault && { fault }) };
  logger.info('exported', facts);
  const within = (of: readonly PackedRecord[]) => of.flatMap((record) => eventsOf(record, events, oversized));
  const handled = (): Handled => {
    const aside = refused?.records ?? [];
    const kept = new Set([
      ...within([...waiting, ...aside]),
      ...oversized.flatMap((position) => events[position] ?? []),
    ]);
    const waits = new Set(within(left));
    return {
      delivered: events.filter((event) => !kept.has(event)),
      kept: events.filter((event) => kept.has(event) && !waits.has(event)),
    };
  };
  return { target, ...outcome, events: wanted, left: within(left), handled, counted };
}

/** What the record of a buffered target remembers of delivered events. Other targets have taken them for good. */
export const progressOf = (
  target: Target,
  delivered: number,
  oldest: number,
): { firehoseProgress?: FirehoseProgress } =>
  propertiesOf(target.destination).isBuffered && delivered > 0
    ? { firehoseProgress: nextProgress(target, oldest, Date.now()) }
    : {};

const countOf = (records: readonly PackedRecord[]): number =>
  records.reduce((total, { size }) => total + size, 0);

export const oldestOf = (events: readonly CommittedEvent[]): number =>
  events.reduce((oldest, { writtenAt }) => Math.min(oldest, writtenAt), Infinity);

/** The event stays in the events table as long as any other. */
async function sendToDeadLetter(
  { deadLetters }: DeliveryDeps,
  { ref, orderingKey, sequence, type }: CommittedEvent,
): Promise<void> {
  logger.error('event too large', { ...ref, sequence, type });
  const source = { pk: orderingKey, sequence, type };
  await deadLetters.add({ reason: 'No record can hold the event', source });
}

/** Events of a target without a destination are discarded. */
export async function deliver(
  { writers, attempts, unanswered, givenUp }: DeliveryDeps,
  target: Target,
  records: readonly PackedRecord[],
  deadline: number,
  patienceMs?: number,
): Promise<Delivery> {
  const { destination } = target;
  if (!isPlace(destination)) return { undelivered: [] };
  const at = Date.now();
  const delivery = await writers[destination.kind].deliver(target, records, deadline, patienceMs);
  unanswered.note(target, records, delivery);
  await attempts.note(target, records, delivery, { at, ms: Date.now() - at });
  const { refused } = delivery;
  if (refused) {
    const eventIds = idsIn(refused.records, Infinity);
    await givenUp.refused(target, { eventIds, fault: refused.fault }, Date.now());
  }
  return delivery;
}

/**
 * A delivery stream that is gone is created again, as if it had never been there. What it had is lost, unless it is
 * replayed.
 */
function afterDeletion(
  target: Target,
  { code }: Fault,
  now: number,
): Pick<TransitionDetails, 'set' | 'remove'> {
  if (!propertiesOf(target.destination).isBuffered || code !== goneCode) return {};
  const set = withLoss(target, lossByDeletion(target, now));
  return { set, remove: ['provisionedAt', 'bucketTrouble', 'firehoseProgress'] };
}

/** Records why a target does not take events. A fault that the record has already is not written with every batch. */
export async function noteFault({ targets }: DeliveryDeps, target: Target, fault: Fault): Promise<void> {
  const transition = transitionFor(fault);
  const { code, notBefore, unanswered } = target.fault ?? {};
  const isSame = code === fault.code && notBefore === fault.notBefore && unanswered === fault.unanswered;
  const isKnown = isSame && target.state === transitions[transition].to;
  if (isKnown || !allows(transition, target, target)) return;
  const now = Date.now();
  await targets.transition(target, transition, now, { fault, ...afterDeletion(target, fault, now) });
}

/** What is known of a batch when its records are parked. */
type Seen = Counts & { since: number };

/** Parks records behind those that wait already. Counts are written with the watermarks, or later if there are none. */
async function park(
  { targets, parking, watermarks }: DeliveryDeps,
  target: Target,
  records: readonly PackedRecord[],
  { since, ...counts }: Seen,
  deadline: number,
): Promise<{ parked: number; left: readonly PackedRecord[]; counted: Counted }> {
  if (records.length === 0) return { parked: 0, left: [], counted: { counts, isWritten: false } };
  const { undelivered, positions, fault } = await parking.park(target, records, deadline);
  const parked = countOf(records) - countOf(undelivered);
  if (positions.size > 0) {
    const current = await watermarks.parked(target, {
      positions,
      counts: { ...counts, parked },
      since,
      ...progressOf(target, counts.delivered, since),
    });
    if (current) await targets.queue(current, Date.now());
  }
  const { tenantId, category } = target;
  if (fault) logger.error('not parked', { tenantId, category, fault });
  return { parked, left: undelivered, counted: { counts, isWritten: positions.size > 0 } };
}

/** A target in which nothing waits becomes active by a quick delivery. After a slow one it is checked later. */
async function updateState(
  deps: DeliveryDeps,
  target: Target,
  { fault, isTried }: { fault: Fault | undefined; isTried: boolean },
): Promise<void> {
  if (!fault && isTried && target.state !== 'active' && isDrained(target)) await endTrouble(deps, target);
  if (fault?.code === slowCodes.slow) await checkLater(deps, target);
}
