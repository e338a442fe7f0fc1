import { createRequire } from 'node:module';
import { deliverByTenant, type Item, type Strategy } from './strategy.ts';

type Encoded = { partitionKey: string; data: Buffer };

/** The used part of the package, because its own types need version 2 of the AWS SDK. */
type KinesisAgg = {
  RecordAggregator: new (ready: (error: Error | null, encoded?: Encoded) => void) => {
    aggregateRecords(records: { partitionKey: string; data: Buffer }[], flush: boolean): void;
  };
  deaggregateSync: (
    record: { data: string; partitionKey: string; sequenceNumber: string },
    checksums: boolean,
    done: (error: Error | undefined, records: { data: string }[]) => void,
  ) => void;
};

const { RecordAggregator, deaggregateSync } = createRequire(import.meta.url)('aws-kinesis-agg') as KinesisAgg;

function aggregate(items: readonly Item[]): Encoded[] {
  const records: Encoded[] = [];
  const aggregator = new RecordAggregator((error, encoded) => {
    if (error) throw error;
    if (encoded) records.push(encoded);
  });
  const entries = items.map((item) => ({ partitionKey: item.aggregate, data: Buffer.from(item.event) }));
  aggregator.aggregateRecords(entries, true);
  return records;
}

/** npm aws-kinesis-agg, the aggregation format of the Kinesis Producer Library. */
export const kinesisAgg: Strategy = {
  name: 'aws-kinesis-agg 4.2.7',
  read: (data) => {
    const record = { data: Buffer.from(data).toString('base64'), partitionKey: '', sequenceNumber: '' };
    let events: string[] = [];
    deaggregateSync(record, true, (error, records) => {
      if (error) throw error;
      events = records.map((one) => Buffer.from(one.data, 'base64').toString());
    });
    return events;
  },
  deliver: async (batch, sink) => {
    await deliverByTenant(batch, sink, aggregate);
  },
};
