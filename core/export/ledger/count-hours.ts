import { acceptedAttributes, type EventIndexStore, type IndexItem } from '../../events/event-index-store.ts';
import { indexShards } from '../../events/event-keys.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import type { HourCount } from './hour-count.ts';

export type CountDeps = { index: Pick<EventIndexStore, 'page'> };

/** Small enough that the shards, which are read at once, do not wait long for each other. */
const page = { attributes: acceptedAttributes, limit: 2_000 };

/** Hours that follow each other. In one shard, the events behind `after` are still to be counted. */
type Segment = { shard: number; after: string | undefined; hours: [HourCount, ...HourCount[]] };

/**
 * Counts what is not counted yet, until the deadline. In a shard, the events of hours that follow each other are one range of
 * the index: many hours with few events cost one query for each shard.
 *
 * @param hours oldest first
 * @throws what a read throws, when nothing is added to the hours any more: what was counted is right, and can be kept
 */
export async function countHours(
  deps: CountDeps,
  ref: TargetRef,
  hours: readonly HourCount[],
  deadline: number,
): Promise<void> {
  const shards = Array.from({ length: indexShards }, (_, shard) => segmentsOf(hours, shard));
  const results = await Promise.allSettled(
    shards.map(async (segments) => {
      for (const segment of segments) await countSegment(deps, ref, segment, deadline);
    }),
  );
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function segmentsOf(hours: readonly HourCount[], shard: number): Segment[] {
  const segments: Segment[] = [];
  for (const hour of hours) {
    if (hour.isComplete(shard)) continue;
    const after = hour.countedThrough(shard);
    const last = segments.at(-1);
    if (after === undefined && last?.hours.at(-1)?.to === hour.from) last.hours.push(hour);
    else segments.push({ shard, after, hours: [hour] });
  }
  return segments;
}

async function countSegment(
  { index }: CountDeps,
  ref: TargetRef,
  { shard, after, hours }: Segment,
  deadline: number,
): Promise<void> {
  const [first] = hours;
  const range = { ...ref, from: first.from, to: (hours.at(-1) ?? first).to };
  const count = counting(hours, shard);
  let place = after;
  do {
    if (Date.now() >= deadline) return;
    const { items, last } = await index.page(range, { shard, after: place }, page);
    for (const item of items) count(item);
    place = last;
  } while (place !== undefined);
  for (const hour of hours) hour.finish(shard);
}

/** Adds items, which come in the order of their acceptance, to their hours. */
function counting(hours: Segment['hours'], shard: number): (item: IndexItem) => void {
  const later = hours.slice(1).values();
  let [current] = hours;
  return (item) => {
    while ((item['sequence']?.S ?? '') >= current.end) {
      current.finish(shard);
      const next = later.next();
      if (next.done) return;
      current = next.value;
    }
    current.add(item, shard);
  };
}
