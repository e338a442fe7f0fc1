import { Consumer, type BatchFailure, type ConsumerOptions } from './consumer.ts';
import { decodeRecord } from './decode.ts';
import type { Event } from './event.ts';
import { reporter } from './reporter.ts';

/** What Lambda passes for a Kinesis stream, as far as it is used here. */
export type StreamBatch = { Records: readonly { kinesis: { data: string; sequenceNumber: string } }[] };
export type StreamBatchResponse = { batchItemFailures: { itemIdentifier: string }[] };

export type StreamHandlerOptions = ConsumerOptions & {
  /** Gets what a record failed with. By default it goes to the console. */
  onError?: (error: unknown, record: { sequenceNumber: string }) => void;
};

/**
 * A Lambda's handler for a Kinesis stream. It reports the first record that fails. Lambda then sends this record and all later
 * ones again, so order is kept. The event source mapping needs `FunctionResponseTypes: [ReportBatchItemFailures]`.
 */
export function createStreamHandler({
  onError,
  ...options
}: StreamHandlerOptions): (batch: StreamBatch) => Promise<StreamBatchResponse> {
  const consumer = new Consumer(options);
  const report = reporter(onError);
  return async ({ Records: records }) => {
    const { batches, malformed } = decodeAll(records);
    const failure = (await consumer.handleBatches(batches)) ?? malformed;
    const record = failure && records[failure.index];
    if (!record) return { batchItemFailures: [] };
    const { sequenceNumber } = record.kinesis;
    report(failure.error, { sequenceNumber });
    return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
  };
}

/** The events of each record, up to the first that is malformed. */
function decodeAll(records: StreamBatch['Records']): { batches: Event[][]; malformed?: BatchFailure } {
  const batches: Event[][] = [];
  for (const [index, { kinesis }] of records.entries())
    try {
      batches.push(decodeRecord(Buffer.from(kinesis.data, 'base64')));
    } catch (error) {
      return { batches, malformed: { index, error } };
    }
  return { batches };
}
