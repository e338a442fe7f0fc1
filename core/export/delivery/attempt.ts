import * as v from 'valibot';
import { parseJson } from '../../kernel/json.ts';
import { unpack, type PackedRecord } from './packing.ts';
import { notTaken, type Delivery } from './send-with-retries.ts';
import { splitEvents } from './split-events.ts';

/** One attempt to deliver events to a target: how it went, and what it carried. Times in milliseconds. */
export const attempt = v.object({
  at: v.number(),
  durationMs: v.number(),
  outcome: v.picklist(['delivered', 'failed']),
  /** How many events it carried, and how many of them the target took. */
  events: v.number(),
  delivered: v.number(),
  /** Of the first of them. */
  eventIds: v.array(v.string()),
  /** Of the answer, if a webhook gave one. */
  status: v.optional(v.number()),
  answer: v.optional(v.string()),
  /** Of the fault, as the state of the target names it. */
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

/** Of the first events. Only as many records are read as have them. */
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

export function attemptOf(
  records: readonly PackedRecord[],
  delivery: Delivery,
  { at, durationMs }: { at: number; durationMs: number },
): Attempt {
  const { answer, refused, fault = refused?.fault } = delivery;
  const failed = notTaken(delivery);
  const [events, left] = [countOf(records), countOf(failed)];
  const hasFailed = isFailure(delivery);
  return {
    ...{ at, durationMs, outcome: hasFailed ? 'failed' : 'delivered', events, delivered: events - left },
    // Of those that failed, if any did.
    eventIds: idsIn(hasFailed ? failed : records),
    ...(answer && { status: answer.status, answer: answer.text }),
    ...(fault && { code: fault.code, reason: fault.reason, actor: fault.actor }),
  };
}

/** A success is written once a minute for each target, a failure always. */
export const isFailure = (delivery: Delivery): boolean => notTaken(delivery).length > 0;
