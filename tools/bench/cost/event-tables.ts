import type { Assumptions } from './assumptions.ts';
import type { Row } from './confirmation-tables.ts';
import {
  delivery,
  eventBytes,
  exporter,
  oneByOne,
  recording,
  recordSizes,
  type Destination,
} from './events.ts';
import type { Region } from './prices.ts';
import { perMillion, priceOf } from './usage.ts';
import { firehoseBytes, kilobyte, kinesisBytes } from './units.ts';

const counts = [1, 10, 100, 1_000];

const density = (records: readonly number[], count: number, to: Destination): string => {
  const [billed, unit] = to === 'stream' ? [kinesisBytes, kilobyte] : [firehoseBytes, 5 * kilobyte];
  return (count / records.reduce((total, bytes) => total + billed(bytes) / unit, 0)).toFixed(2);
};

/** USD per million exported events, by the number of a target's events in a batch. */
export const ofExport = (assumed: Assumptions, region: Region): Row[] =>
  [
    ...counts.map((count) => ({
      name: String(count),
      count,
      of: (to: Destination) => recordSizes(count, to),
    })),
    { name: '1,000, one per record', count: 1_000, of: () => oneByOne(1_000) },
  ].map(({ name, count, of }) => {
    const cost = (to: Destination): string => perMillion(priceOf(delivery(of(to), to, count), region));
    return {
      'events of a target in a batch': name,
      'exporter (ours)': perMillion(priceOf(exporter(count, assumed), region)),
      'Kinesis (the tenant’s)': cost('stream'),
      'events per 1 KB': density(of('stream'), count, 'stream'),
      'Firehose (ours)': cost('bucket'),
      'events per 5 KB': density(of('bucket'), count, 'bucket'),
    };
  });

/** USD per million recorded events, by the number of events in a call. */
export const ofRecording = (assumed: Assumptions, region: Region): Row[] =>
  [1, 10, 100].map((count) => ({
    'events in a call': String(count),
    USD: perMillion(priceOf(recording(count, assumed), region)),
  }));

export const meanSize = `Events of ${eventBytes} bytes.`;
