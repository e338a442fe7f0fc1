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

/** Bytes of a signed signal, and of the request and the answer around some of them. */
const [signalBytes, pollBytes] = [1_200, 400];

/** For one signal that comes alone, beside the target of its tenant. `streams` are those of the tenant. */
export function signals(streams: number, assumed: Assumptions): Usages {
  const found = {
    dynamoReads: units.queryReadUnits(Array.from({ length: streams }, () => itemSizes.target)),
  };
  // KMS bills RSA keys of 2,048 bits like symmetric ones.
  const made = sum(times(1 / streams, found), { kmsRequests: 1, logBytes: lines.application + lines.metric });
  // The count of the stream.
  const counted = { dynamoWrites: units.writeUnits(itemSizes.target) };
  const wait = invocation(milliseconds.callback, assumed);
  const kept = { dynamoWrites: 2 * units.writeUnits(signalBytes) };
  const poll = (signalsOfPoll: number): Usage =>
    sum(
      apiCall(pollBytes + signalsOfPoll * signalBytes, assumed),
      invocation(milliseconds.schedule, assumed),
      {
        dynamoReads: 1 + units.queryReadUnits([signalsOfPoll * signalBytes]),
      },
    );
  return {
    pushed: sum(made, counted, wait, { transferBytes: signalBytes + handshakeBytes }),
    'polled, one in each poll': sum(made, counted, kept, poll(1)),
    'polled, 100 in each poll': sum(made, counted, kept, times(1 / 100, poll(100))),
    'a poll that finds nothing': poll(0),
  };
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

/** Bytes of the entry of an attempt: with 20 ids, the reason and, of a webhook, 1 KB of the answer. */
const attemptBytes = { delivered: 900, failed: 2_400 };

/** What it costs a month to look into deliveries, and to tell of exports. */
export function deliveryLog(assumed: Assumptions): Usages {
  const minutesOfMonth = daysOfMonth * minutesOfDay;
  const success = { dynamoWrites: units.writeUnits(attemptBytes.delivered) };
  const failure = { dynamoWrites: units.writeUnits(attemptBytes.failed) };
  // A lane that fails is tried again after 45 s at most, and half of that at least.
  const failuresOfDay = (24 * 60 * 60) / 34;
  const page = sum(apiCall(50 * 1_200, assumed), invocation(milliseconds.schedule, assumed), {
    dynamoReads: 0.5 * units.queryReadUnits([50 * attemptBytes.failed]),
  });
  const look = sum(invocation(milliseconds.schedule, assumed), { dynamoReads: 1 });
  const notice = { dynamoReads: 4, dynamoWrites: 2, busEvents: 1, kmsRequests: coldStarts.share };
  const reads = times(minutesOfMonth * 60, invocation(milliseconds.schedule, assumed));
  return {
    'attempts: a target with events in each minute': times(minutesOfMonth, success),
    'attempts: a target that fails for a day, in two lanes': times(2 * failuresOfDay, failure),
    'attempts: a thousand pages of 50': times(1_000, page),
    'notices: the stream of targets, with events in each second': reads,
    'notices: the clock, whatever the number of targets': times(minutesOfMonth, look),
    'notices: a thousand': times(1_000, notice),
  };
}
