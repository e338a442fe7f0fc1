import { isTest, type Event } from '../event.ts';
import { momentOf } from '../moment.ts';
import { hashOf, RunningSum } from './ledger-sum.ts';

const hourMs = 3_600_000;

export type Copy = {
  /** The type of each event, by its id in lower case. */
  types: ReadonlyMap<string, string>;
  /** Sums by the hour in which the events were probably accepted, and by type. */
  sums: ReadonlyMap<number, ReadonlyMap<string, RunningSum>>;
};

/** Reads a tenant's copy of a category once. Duplicates count once. */
export async function readCopy(
  events: AsyncIterable<Event> | Iterable<Event>,
  isWanted: (event: Event) => boolean,
): Promise<Copy> {
  const types = new Map<string, string>();
  const sums = new Map<number, Map<string, RunningSum>>();
  for await (const event of events) {
    const { eventId, type } = event.metadata;
    const id = eventId.toLowerCase();
    if (isTest(event) || !isWanted(event) || types.has(id)) continue;
    types.set(id, type);
    const hour = Math.floor(probableAcceptance(event) / hourMs) * hourMs;
    sumOf(sums, hour, type).add(hashOf(eventId));
  }
  return { types, sums };
}

function sumOf(sums: Map<number, Map<string, RunningSum>>, hour: number, type: string): RunningSum {
  let byType = sums.get(hour);
  if (!byType) sums.set(hour, (byType = new Map<string, RunningSum>()));
  let sum = byType.get(type);
  if (!sum) byType.set(type, (sum = new RunningSum()));
  return sum;
}

/**
 * The moment in a UUID of version 7 (RFC 9562, section 5.7), which the service's own events have, or else the producer's time.
 * A wrong guess costs one more call and changes no result.
 */
export function probableAcceptance(event: Event): number {
  const { eventId } = event.metadata;
  if (eventId[14] !== '7') return momentOf(event);
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
}
