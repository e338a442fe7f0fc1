import type { Lane } from '../targets/lanes.ts';

/** What one call of an AWS batch operation takes. */
export type BatchLimits = {
  records: number;
  bytes: number;
  /** One where order matters: AWS promises no order inside a call, and a failed record must precede those behind it. */
  perLane: number;
};

const mebibyte = 1024 * 1024;

/** Kinesis PutRecords. A record's partition key, which is its lane, counts, too. */
export const putRecordsLimits: BatchLimits = { records: 500, bytes: 10 * mebibyte, perLane: 1 };
/** Firehose PutRecordBatch. */
export const putRecordBatchLimits: BatchLimits = { records: 500, bytes: 4 * mebibyte, perLane: 500 };
/** SQS SendMessageBatch. */
export const sendMessageBatchLimits: BatchLimits = { records: 10, bytes: mebibyte, perLane: 1 };

/** Generous for a partition key (`127/128`), or for a message's attributes. */
const besidesData = 256;

type Sendable = { lane: Lane; data: Buffer; alone?: true };

/** The records of the next call: from the front of each lane as many as the limits allow. */
export function nextBatch<Item extends Sendable>(waiting: readonly Item[], limits: BatchLimits): Item[] {
  const batch: Item[] = [];
  const taken = new Map<Lane, number>();
  let bytes = 0;
  for (const item of waiting) {
    const before = taken.get(item.lane) ?? 0;
    const size = item.data.length + besidesData;
    const most = item.alone ? 1 : limits.perLane;
    const fits = before < most && batch.length < limits.records && bytes + size <= limits.bytes;
    // A record that does not fit closes its lane: no record behind it may go first.
    taken.set(item.lane, fits && !item.alone ? before + 1 : limits.perLane);
    if (!fits) continue;
    batch.push(item);
    bytes += size;
  }
  return batch;
}
