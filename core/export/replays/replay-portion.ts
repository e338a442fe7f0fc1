import { ArchiveReader, type Archive, type ArchivePlace } from '../../events/archive-reader.ts';
import { bytesOf } from '../../events/event-archive-store.ts';
import type { Event } from '../../events/event.ts';
import { idsIn, type IndexItem, sequenceOf } from '../../events/event-index-store.ts';
import { sequenceAt } from '../../events/event-keys.ts';
import type { CommittedEvent } from '../../events/event-stream.ts';
import { isSignal } from '../../events/signal-events.ts';
import { categoryOf, isStreamName } from '../../events/target-ref.ts';
import type { LaneWatermarks } from '../delivery/lane-watermark-store.ts';
import type { ParkingQueue } from '../delivery/parking-queue.ts';
import { replayLane } from '../targets/lanes.ts';
import { pack, packingOf } from '../delivery/packing.ts';
import { placeOf, type Cursor, type Replay } from './replay.ts';
import type { Target } from '../targets/target.ts';
import type { TargetStore } from '../targets/target-store.ts';
import { logger } from '../../kernel/observability.ts';

export type PortionDeps = {
  targets: Pick<TargetStore, 'queue'>;
  archive: Archive;
  parking: Pick<ParkingQueue, 'park'>;
  watermarks: Pick<LaneWatermarks, 'parked'>;
};

/** About the most that one step takes: bytes of events, and milliseconds for reading and for parking. */
export type PortionLimits = { bytes: number; reading: number; parking: number };

/** Events of a replay, and the cursor behind them, unless it is the end. */
export type Portion = { events: CommittedEvent[]; next: Cursor | undefined };

function wantedBy({ types: asked, eventIds }: Replay, { types: wanted, category }: Target) {
  const isAny = isStreamName(category) ? isSignal : () => true;
  return (event: CommittedEvent): boolean =>
    (asked?.includes(event.type) ?? true) &&
    (eventIds?.includes(idOf(event)) ?? true) &&
    (wanted?.includes(event.type) ?? true) &&
    isAny(event);
}

/** Only of events that are looked for by their ids: an event is text otherwise. */
const idOf = ({ event }: CommittedEvent): string =>
  (JSON.parse(event) as Event).metadata.eventId.toLowerCase();

/** Items of the index that may hold events of the replay. Events that were accepted together are in one. */
function itemsOf({ eventIds, givenUp }: Replay): ((item: IndexItem) => boolean) | undefined {
  if (eventIds) return (item) => idsIn(item).some((id) => eventIds.includes(id));
  if (!givenUp) return undefined;
  const ranges = givenUp.ranges.map(({ from, to }) => [sequenceAt(from), sequenceAt(to)] as const);
  return (item) => ranges.some(([from, to]) => from <= sequenceOf(item) && sequenceOf(item) < to);
}

/** Reads hour after hour until a limit is reached. */
export async function readPortion(
  { archive }: PortionDeps,
  replay: Replay,
  target: Target,
  limits: PortionLimits,
): Promise<Portion> {
  const isWanted = wantedBy(replay, target);
  const { portion = Infinity } = replay;
  const deadline = Date.now() + limits.reading;
  const events: CommittedEvent[] = [];
  const { sent, ...place } = placeOf(replay);
  const range = { ...replay, category: categoryOf(replay) };
  const reader = new ArchiveReader(archive, range, place, itemsOf(replay));
  let next: ArchivePlace | undefined;
  let bytes = 0;
  do {
    const page = await reader.page(limits.bytes - bytes, portion - events.length);
    // The exporter sent it to the dead letters when it was new.
    for (const reason of page.unreadable) logger.error('not replayed', { replayId: replay.replayId, reason });
    const wanted = page.events.filter(isWanted);
    events.push(...wanted);
    bytes += bytesOf(wanted);
    ({ next } = page);
  } while (next && bytes < limits.bytes && events.length < portion && Date.now() < deadline);
  return { events, next: next && { ...next, sent: sent + events.length } };
}

/**
 * Parks events for the redelivery, in lanes apart from those of new events.
 *
 * @throws if not all of them could be parked: the step must be repeated
 */
export async function parkPortion(
  { targets, parking, watermarks }: PortionDeps,
  { replayId, from }: Replay,
  target: Target,
  events: readonly CommittedEvent[],
  limits: PortionLimits,
): Promise<void> {
  // Events that are too large for a record were sent to the dead letters when they were new.
  const { records } = pack(events, { ...packingOf(target.destination), lineEnd: '' });
  const apart = records.map((record) => ({ ...record, lane: replayLane(record.lane) }));
  const now = Date.now();
  const { undelivered, positions, fault } = await parking.park(target, apart, now + limits.parking, replayId);
  const parked = apart.filter((record) => !undelivered.includes(record));
  const count = parked.reduce((total, { size }) => total + size, 0);
  const counts = { replayed: 0, replayWaiting: count };
  const replayFrom = Math.min(from, target.replayFrom ?? from);
  if (positions.size > 0) {
    const current = await watermarks.parked(target, { positions, counts, since: now, replayFrom });
    if (current) await targets.queue(current, now);
  }
  if (undelivered.length > 0) throw new Error(`Not all events could be parked: ${fault?.reason ?? ''}`);
}
