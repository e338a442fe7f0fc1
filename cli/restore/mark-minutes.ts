import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { indexShards } from '../../core/events/event-keys.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { type BusyMinute, BusyMinuteStore } from '../../core/export/log/busy-minute-store.ts';
import { endOf, minuteOf } from '../../core/export/log/minute.ts';
import { mapConcurrent } from '../../core/kernel/map-concurrent.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { tenantRefs } from './tenant-refs.ts';

const logsAtOnce = 20;

/**
 * Marks the minutes that have events, so that the log gets what it lacks: events whose marks were lost with the old table, or that
 * its stream had not handed over. Those that are in the log already stay there once.
 *
 * @param from milliseconds since 1970
 * @returns how many minutes were marked
 */
export async function markMinutes(deployment: Deployment, from: number): Promise<number> {
  const { clients, tables } = deployment;
  const now = Date.now();
  const index = new EventIndexStore(clients.dynamodb, tables.events);
  const busy = new BusyMinuteStore(clients.dynamodb, tables.log);
  const refs = await tenantRefs(deployment);
  const marked = await mapConcurrent(refs, logsAtOnce, async (ref) => {
    const minutes = await minutesWithEvents(index, ref, { from, to: now });
    await busy.mark(minutes, now);
    return minutes.length;
  });
  return marked.reduce((total, count) => total + count, 0);
}

type Range = { from: number; to: number };

async function minutesWithEvents(
  index: EventIndexStore,
  ref: TargetRef,
  range: Range,
): Promise<BusyMinute[]> {
  const shards = Array.from({ length: indexShards }, (_, shard) => shard);
  const found = await Promise.all(shards.map(async (shard) => await minutesOf(index, ref, shard, range)));
  return [...new Set(found.flat())].map((minute) => ({ ref, minute }));
}

/** From one minute with events to the next: whatever else the minute has is not read. */
async function minutesOf(
  index: EventIndexStore,
  ref: TargetRef,
  shard: number,
  { from, to }: Range,
): Promise<string[]> {
  const found: string[] = [];
  for (let start = from; start < to;) {
    const { items } = await index.page(
      { ...ref, from: start, to },
      { shard },
      { limit: 1, attributes: ['sequence'] },
    );
    const [first] = items;
    if (!first) break;
    const minute = minuteOf(Number.parseInt(first['sequence']?.S ?? '', 10));
    found.push(minute);
    start = endOf(minute);
  }
  return found;
}
