import * as v from 'valibot';
import { parseJson } from '../../kernel/json.ts';
import type { Lane } from '../targets/lanes.ts';
import { unpack, type PackedRecord } from './packing.ts';
import { notTaken, type Delivery } from './send-with-retries.ts';
import { splitEvents } from './split-events.ts';

/** One attempt to deliver events of a lane to a target: how it went, and what it carried. Times in milliseconds. */
export const attempt = v.object({
  at: v.number(),
  ms: v.number(),
  outcome: v.picklist(['delivered', 'partly', 'failed']),
  lane: v.string(),
  /** How many events it carried, and the ids of the first of them; or of those that were not taken, if there are any. */
  events: v.object({ count: v.number(), ids: v.array(v.string()) }),
  /** The status of the answer, if a webhook gave one. */
  status: v.optional(v.number()),
  answer: v.optional(v.string()),
  /** The code of the fault, as the state of the target names it. */
  code: v.optional(v.string()),
  reason: v.optional(v.string()),
  actor: v.optional(v.picklist(['tenant', 'operator', 'nobody'])),
});

export type Attempt = v.InferOutput<typeof attempt>;

/** More would make each entry cost several writes. */
const mostIds = 20;

const countOf = (records: readonly PackedRecord[]): number =>
  records.reduce((total, { size }) => total + size, 0);

const metadata = v.object({ metadata: v.object({ eventId: v.string() }) });

/** The ids of the first events. No more records are read than have them. */
export function idsIn(records: readonly PackedRecord[], most = mostIds): string[] {
  const ids: string[] = [];
  for (const { data } of records) {
    if (ids.length >= most) break;
    // A line of a bucket has an end.
    const events = splitEvents(unpack(data.toString().trimEnd()));
    for (const event of events.slice(0, most - ids.length))
      ids.push(v.parse(metadata, parseJson(event)).metadata.eventId);
  }
  return ids;
}

/** One attempt for each lane that has something left, or for the first lane alone if all was taken. Only these records are read. */
export function attemptsOf(
  records: readonly PackedRecord[],
  delivery: Delivery,
  times: Pick<Attempt, 'at' | 'ms'>,
): Attempt[] {
  const left = Map.groupBy(notTaken(delivery), ({ lane }) => lane);
  const carried = [...Map.groupBy(records, ({ lane }) => lane)];
  const noted = left.size > 0 ? carried.filter(([lane]) => left.has(lane)) : carried.slice(0, 1);
  return noted.map(([lane, its]) => attemptOf(lane, its, left.get(lane) ?? [], delivery, times));
}

function attemptOf(
  lane: Lane,
  records: readonly PackedRecord[],
  left: readonly PackedRecord[],
  { answer, refused, fault = refused?.fault }: Delivery,
  times: Pick<Attempt, 'at' | 'ms'>,
): Attempt {
  const count = countOf(records);
  if (left.length === 0)
    return { ...times, outcome: 'delivered', lane, events: { count, ids: idsIn(records) } };
  return {
    ...times,
    outcome: countOf(left) < count ? 'partly' : 'failed',
    lane,
    events: { count, ids: idsIn(left) },
    ...(answer && { status: answer.status, answer: answer.text }),
    ...(fault && { code: fault.code, reason: fault.reason, actor: fault.actor }),
  };
}
