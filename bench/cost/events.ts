import { pack } from '../../core/export/delivery/packing.ts';
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

/** Sizes of the records that so many events of one target become, by the packing of the service. */
export function recordSizes(count: number, to: Destination): number[] {
  const event = JSON.stringify({ x: 'x'.repeat(eventBytes - '{"x":""}'.length) });
  const events = Array.from({ length: count }, (_, index) => ({ orderingKey: `${index}`, event }));
  const { records } = pack(events, { lanes: lanes[to], lineEnd: to === 'bucket' ? '\n' : '' });
  return records.map(({ data }) => data.length);
}

/** As many exporters do it: each event in a record of its own. */
export const oneByOne = (count: number): number[] => Array.from({ length: count }, () => eventBytes);

/** Bytes that the destination bills. */
const billedBytes = (records: readonly number[], to: Destination): number =>
  records.reduce((total, bytes) => total + (to === 'stream' ? kinesisBytes : firehoseBytes)(bytes), 0);

/** What the destination bills for an event: the tenant for a stream, the operator for Firehose. */
export const delivery = (records: readonly number[], to: Destination, count: number): Usage => ({
  [to === 'stream' ? 'kinesisBytes' : 'firehoseBytes']: billedBytes(records, to) / count,
});

/** The exporter's own part for an event of a batch that has so many of one target; to a stream or a bucket alike. */
export const exporter = (count: number, assumed: Assumptions): Usage =>
  times(
    1 / count,
    sum([
      invocation(assumed.durations.export, assumed),
      trips(exportRequests.exportToStream, assumed),
      { logBytes: logBytes.application + logBytes.metric },
    ]),
  );

/** For one of so many events in a call of `POST /omi/events`, each of another aggregate. */
export function recording(count: number, assumed: Assumptions): Usage {
  const size = recordedEventBytes(eventBytes);
  const call = sum([apiCall(answerBytes.record, assumed), invocation(assumed.durations.record, assumed)]);
  const writes = transactionWriteUnits([size]) + indexWriteUnits(size, assumed);
  return sum([times(1 / count, call), { dynamoWrites: writes }]);
}
