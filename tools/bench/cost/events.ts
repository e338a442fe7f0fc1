import { pack } from '../../../core/export/delivery/packing.ts';
import type { StoredEvent } from '../../../core/events/event-stream.ts';
import { answerBytes } from './answers.ts';
import { recordedEventBytes } from './items.ts';
import type { Assumptions } from './assumptions.ts';
import { logBytes } from './log-lines.ts';
import { exportRequests } from './round-trips.ts';
import { apiCall, indexWriteUnits, invocation, sum, times, trips, type Usage } from './usage.ts';
import { firehoseBytes, kinesisBytes, transactionWriteUnits } from './units.ts';

/** Bytes of JSON of a typical event, the mean of the export's benchmark. */
export const eventBytes = 585;

export type Destination = 'stream' | 'bucket';
const lanes: Record<Destination, number> = { stream: 2, bucket: 1 };

/** So many events, each of another aggregate. */
export function typicalEvents(count: number): StoredEvent[] {
  const event = JSON.stringify({ x: 'x'.repeat(eventBytes - '{"x":""}'.length) });
  return Array.from({ length: count }, (_, index) => ({ orderingKey: `${index}`, event }));
}

/** Sizes of the records into which the service packs this number of a target's events. */
export function recordSizes(count: number, to: Destination): number[] {
  const { records } = pack(typicalEvents(count), { lanes: lanes[to], lineEnd: to === 'bucket' ? '\n' : '' });
  return records.map(({ data }) => data.length);
}

/** Sizes of records with one event each, as many exporters make them. */
export const oneByOne = (count: number): number[] => Array.from({ length: count }, () => eventBytes);

/** The bytes that the destination bills. */
const billedBytes = (records: readonly number[], to: Destination): number =>
  records.reduce((total, bytes) => total + (to === 'stream' ? kinesisBytes : firehoseBytes)(bytes), 0);

/** What the destination bills for an event: a stream to the tenant, Firehose to the operator. */
export const delivery = (records: readonly number[], to: Destination, count: number): Usage => ({
  [to === 'stream' ? 'kinesisBytes' : 'firehoseBytes']: billedBytes(records, to) / count,
});

/** The exporter's part for an event, if a batch has this number of a target's events. Streams and buckets cost the same. */
export const exporter = (count: number, assumed: Assumptions): Usage =>
  times(
    1 / count,
    sum([
      invocation(assumed.durations.export, assumed),
      trips(exportRequests.exportToStream, assumed),
      { logBytes: logBytes.application + logBytes.metric },
    ]),
  );

/** For one event, if a call of `POST /omi/events` has this number of events, each of another aggregate. */
export function recording(count: number, assumed: Assumptions): Usage {
  const size = recordedEventBytes(eventBytes);
  const call = sum([apiCall(answerBytes.record, assumed), invocation(assumed.durations.record, assumed)]);
  const writes = transactionWriteUnits([size]) + indexWriteUnits(size, assumed);
  return sum([times(1 / count, call), { dynamoWrites: writes }]);
}
