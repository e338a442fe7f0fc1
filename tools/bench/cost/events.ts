/** What exported and recorded events cost, the ledger, and the watch over buckets. */
import { indexPartitions } from '../../../core/events/event-keys.ts';
import type { StoredEvent } from '../../../core/events/event-stream.ts';
import { pack, packingOf, type PackedRecord } from '../../../core/export/delivery/packing.ts';
import { pauseBetweenLooksMs } from '../../../core/export/kinds/bucket/reports/find-late-buckets.ts';
import { hours } from '../../../core/kernel/time.ts';
import { coldStarts, lines, milliseconds, type Assumptions } from './data.ts';
import { exportedBytes, indexedBytes, itemSizes } from './items.ts';
import { apiCall, handshakeBytes, indexWriteUnits, invocation, sum, times, trips } from './model.ts';
import { webhookBytes, type Usage, type Usages } from './model.ts';
import * as units from './units.ts';

/** Bytes of JSON of a typical event, the mean of the export's benchmark. */
export const eventBytes = 585;
export type Destination = 'stream' | 'bucket';

/** So many events, each of another aggregate. */
const typicalEvents = (count: number): StoredEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    orderingKey: `${index}`,
    event: JSON.stringify({ x: 'x'.repeat(eventBytes - 8) }),
  }));

/** Sizes of the records into which the service packs this number of a target's events. */
export const recordSizes = (count: number, to: Destination): number[] => {
  const packing = { lanes: to === 'stream' ? 2 : 1, lineEnd: to === 'stream' ? '' : '\n' } as const;
  return pack(typicalEvents(count), packing).records.map(({ data }) => data.length);
};

/** What the destination bills for an event: a stream to the tenant, Firehose to the operator. */
export function delivery(records: readonly number[], to: Destination, count: number): Usage {
  const [quantity, billed] =
    to === 'stream'
      ? (['kinesisBytes', units.kinesisBytes] as const)
      : (['firehoseBytes', units.firehoseBytes] as const);
  return { [quantity]: records.reduce((sum, bytes) => sum + billed(bytes), 0) / count };
}

/** For one event, if a call of `POST /omi/events` has this number of events, each of another aggregate. */
export function recording(count: number, assumed: Assumptions): Usage {
  const size = itemSizes['event, sent'] - (exportedBytes[0] ?? 0) + eventBytes;
  // The count of the tenant's events in this second is one small write.
  const call = sum(apiCall({ accepted: count }, assumed), invocation(milliseconds.record, assumed), {
    dynamoWrites: 1,
  });
  return sum(times(1 / count, call), {
    dynamoWrites: units.transactionWriteUnits([size]) + indexWriteUnits(size, assumed),
  });
}

/** The bodies of the calls of a webhook for this number of a target's events. */
export const webhookCalls = (count: number): PackedRecord[] =>
  pack(typicalEvents(count), packingOf({ kind: 'webhook', url: '', lanes: 2 })).records;

/** Lanes are called beside each other, and each makes one call after the other: so many times the exporter waits. */
export const webhookWaits = (calls: readonly PackedRecord[]): number =>
  Math.max(...[...Map.groupBy(calls, ({ lane }) => lane).values()].map((its) => its.length));

/** For one event, if a batch has this number of a target's events and no other target is as slow. */
export function webhook(count: number, assumed: Assumptions): Usage {
  const calls = webhookCalls(count);
  const bytes = calls.reduce((total, { data }) => total + data.length + webhookBytes, 0);
  const wait = webhookWaits(calls) * milliseconds.callback;
  const all = sum(invocation(milliseconds.export + wait, assumed), trips('exportToWebhook', assumed), {
    // A connection is opened for each lane, and kept for its calls. A Lambda keeps the secrets that it opened.
    transferBytes: bytes + Math.min(2, calls.length) * handshakeBytes,
    kmsRequests: coldStarts.share,
    logBytes: lines.application + lines.metric,
  });
  return times(1 / count, all);
}

/** A call of the ledger for so many hours, with ten types of events in each. */
function ledgerCall(its: number, uncounted: number, events: number, assumed: Assumptions): Usage {
  const hourBytes = 10 * 115;
  // Hours that follow each other are read together. The index has no strongly consistent reads.
  const index = Math.max(indexPartitions, units.queryReadUnits([events * Math.max(...indexedBytes)]));
  const kept = units.queryReadUnits([its * hourBytes]);
  return sum(
    apiCall(its * hourBytes, assumed),
    // One core counts 200 events in a millisecond. A Lambda of 1,024 MB has a little more than half of one.
    invocation(10 + events / 100, assumed),
    { dynamoReads: 0.5 * (kept + (uncounted > 0 ? index : 0)) },
    { dynamoWrites: uncounted * units.writeUnits(hourBytes) },
  );
}

/** By a thousand calls. */
export const ledger = (assumed: Assumptions): Usages => ({
  'a day that was counted before': ledgerCall(24, 0, 0, assumed),
  'a day without events, for the first time': ledgerCall(24, 24, 0, assumed),
  '14 days with a few events, for the first time': ledgerCall(14 * 24, 14 * 24, 50, assumed),
  'an hour of 1,000 events, for the first time': ledgerCall(1, 1, 1_000, assumed),
  'an hour of 1,000,000 events, for the first time': ledgerCall(1, 1, 1_000_000, assumed),
});

const [daysOfMonth, minutesOfDay] = [30, 1_440];

/** What it costs a month to know whether Firehose writes into the tenants' buckets. */
export function buckets(assumed: Assumptions): Usages {
  // Each call reads the list of watched buckets, and may not note a look yet.
  const tick = sum(invocation(milliseconds.schedule, assumed), { dynamoReads: 1, dynamoWrites: 1 });
  // Freshness and success.
  const look = { metricsRead: 2, dynamoReads: units.batchReadUnits([itemSizes.target]) };
  const looks = daysOfMonth * ((24 * hours) / pauseBetweenLooksMs);
  return {
    'the clock, whatever the number of buckets': times(daysOfMonth * minutesOfDay, tick),
    'a bucket with events each day': times(looks, look),
    '5,000 of them': times(5_000 * looks, look),
    'the same by an alarm on a query of their metrics': { alarms: 5_000 },
    'a bucket in trouble for a day': times(minutesOfDay, look),
  };
}
